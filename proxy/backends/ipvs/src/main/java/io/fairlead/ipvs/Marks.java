package io.fairlead.ipvs;

import io.fairlead.api.Protocol;
import io.fairlead.forwarding.ServicePortName;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/// The marks by which packets find virtual servers that have no address.
///
/// IPVS compares a mark whole. So the bit for masquerading is part of it where it is wanted, and the numbers are laid
/// around that bit. One bit, the tag, is in all of them.
record Marks(int masqueradeBit) {
    private static final int PORT_BITS = 16;
    private static final int INSIDE = 1 << 18;
    private static final int DROPPED = 1 << 26;
    private static final int NAME_BITS = 26;
    private static final int NAMED = 1 << 28;

    /// The bit of every mark of ours.
    int tag() {
        return 1 << (masqueradeBit == 30 ? 31 : 30);
    }

    /// What a packet bears instead when IPVS has led it: with the tag it would be taken in again.
    int led() {
        return 1 << (masqueradeBit >= 30 ? 29 : 31);
    }

    int masquerade() {
        return 1 << masqueradeBit;
    }

    /// What a new connection that is to be dropped bears.
    int dropped() {
        return mark(DROPPED);
    }

    /// For those who come to a node port.
    int nodePort(Protocol protocol, int port) {
        return mark(number(protocol) << PORT_BITS | port);
    }

    /// For those inside, whichever frontend of a port they come to; `nodePort` is 0 where the port has none.
    ///
    /// A node port is of one Service alone, so its number cannot collide. Names are made numbers of 26 bits.
    int inside(ServicePortName name, int nodePort) {
        return nodePort > 0
                ? mark(INSIDE | number(name.protocol()) << PORT_BITS | nodePort)
                : mark(NAMED | number(name.protocol()) << NAME_BITS | hash(name.toString()));
    }

    /// Whether connections that bear a mark of ours have an end that the kernel sees.
    boolean isTcp(int mark) {
        int number = masqueradeBit >= 29
                ? mark
                : mark >>> (masqueradeBit + 1) << masqueradeBit | (mark & (masquerade() - 1));
        return (number >>> ((number & NAMED) != 0 ? NAME_BITS : PORT_BITS) & 3) == number(Protocol.TCP);
    }

    private static int number(Protocol protocol) {
        return switch (protocol) {
            case TCP -> 1;
            case UDP -> 2;
            case SCTP -> 3;
        };
    }

    private static int hash(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue() & ((1 << NAME_BITS) - 1);
    }

    /// The number with a gap where the bit for masquerading is.
    private int mark(int number) {
        int below = masqueradeBit >= 29 ? number : number & (masquerade() - 1);
        int above = masqueradeBit >= 29 ? 0 : number >>> masqueradeBit << (masqueradeBit + 1);
        return tag() | above | below;
    }
}
