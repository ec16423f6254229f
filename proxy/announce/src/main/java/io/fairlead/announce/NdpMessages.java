package io.fairlead.announce;

import io.fairlead.api.Ip;
import io.fairlead.kernel.PacketSocket;
import io.fairlead.kernel.SocketFilter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Neighbour discovery of IPv6 (RFC 4861): solicitations and advertisements.
final class NdpMessages implements NeighbourProtocol {
    private static final int ETHERNET = 14;
    private static final int HEADER = 40;
    private static final int NEXT_HEADER = ETHERNET + 6;
    private static final int SOURCE = ETHERNET + 8;
    private static final int TYPE = ETHERNET + HEADER;
    private static final int TARGET = TYPE + 8;
    private static final int OPTION = TARGET + 16;
    private static final int LENGTH = OPTION + 8;

    private static final int ICMPV6 = 58;
    private static final int HOP_LIMIT = 255; // a host that sees less got it through a router, and must not believe it
    private static final int SOLICITATION = 135;
    private static final int ADVERTISEMENT = 136;
    private static final int SOLICITED = 0x4000_0000;
    private static final int OVERRIDE = 0x2000_0000;
    private static final int TARGET_ADDRESS_OPTION = 2;

    private static final Ip UNSPECIFIED = Ip.parse("::");
    private static final Ip ALL_NODES = Ip.parse("ff02::1");
    private static final Ip SOLICITED_NODE = Ip.parse("ff02::1:ff00:0");

    @Override
    public int number() {
        return PacketSocket.IPV6;
    }

    @Override
    public SocketFilter filter() {
        return SocketFilter.of(NEXT_HEADER, ICMPV6, TYPE, SOLICITATION, ADVERTISEMENT);
    }

    @Override
    public List<byte[]> announcement(HardwareAddress own, Ip address) {
        return List.of(advertisement(own, multicast(ALL_NODES), ALL_NODES, address, OVERRIDE));
    }

    /// A host that only looks whether the address is free has none to answer to: the answer goes to all.
    @Override
    public byte[] answer(HardwareAddress own, Heard.Question question) {
        return question.asker().equals(UNSPECIFIED)
                ? announcement(own, question.address()).getFirst()
                : advertisement(own, question.from(), question.asker(), question.address(), OVERRIDE | SOLICITED);
    }

    @Override
    public Optional<Heard> parse(byte[] frame) {
        if (frame.length < OPTION || frame[NEXT_HEADER] != ICMPV6 || (frame[ETHERNET + 7] & 0xff) != HOP_LIMIT) {
            return Optional.empty();
        }
        HardwareAddress from = HardwareAddress.of(Arrays.copyOfRange(frame, 6, 12));
        Ip source = Ip.of(Arrays.copyOfRange(frame, SOURCE, SOURCE + 16));
        Ip target = Ip.of(Arrays.copyOfRange(frame, TARGET, TARGET + 16));
        return switch (frame[TYPE] & 0xff) {
            case SOLICITATION -> Optional.of(new Heard.Question(target, from, source));
            case ADVERTISEMENT -> Optional.of(new Heard.Claim(target, from));
            default -> Optional.empty();
        };
    }

    /// The group in which the holder of an address listens for questions.
    static Ip solicitedNode(Ip address) {
        return new Ip(address.family(), SOLICITED_NODE.high(), SOLICITED_NODE.low() | (address.low() & 0xff_ffff));
    }

    /// RFC 2464: 33:33 and the last four bytes of the group.
    private static HardwareAddress multicast(Ip group) {
        return new HardwareAddress(0x3333_0000_0000L | (group.low() & 0xffff_ffffL));
    }

    private static byte[] advertisement(HardwareAddress own, HardwareAddress to, Ip destination, Ip target, int flags) {
        ByteBuffer frame = ByteBuffer.allocate(LENGTH)
                .put(to.bytes())
                .put(own.bytes())
                .putShort((short) PacketSocket.IPV6)
                .putInt(6 << 28)
                .putShort((short) (LENGTH - TYPE))
                .put((byte) ICMPV6)
                .put((byte) HOP_LIMIT)
                .put(target.bytes())
                .put(destination.bytes())
                .put((byte) ADVERTISEMENT)
                .put((byte) 0)
                .putShort((short) 0)
                .putInt(flags)
                .put(target.bytes())
                .put((byte) TARGET_ADDRESS_OPTION)
                .put((byte) 1) // in units of 8 bytes
                .put(own.bytes());
        return frame.putShort(TYPE + 2, checksum(frame.array())).array();
    }

    /// RFC 4443 §2.3: over both addresses, the length, the protocol, and the message.
    private static short checksum(byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame);
        int sum = LENGTH - TYPE + ICMPV6;
        for (int i = SOURCE; i < LENGTH; i += 2) {
            sum += in.getShort(i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return (short) ~((sum & 0xffff) + (sum >>> 16));
    }
}
