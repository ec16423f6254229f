package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// An address and a port as the kernel has them: struct sockaddr_in and struct sockaddr_in6.
final class SocketAddress {
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int INET_SIZE = 16;
    static final int INET6_SIZE = 28;

    private static final ValueLayout.OfShort PORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt WORD = JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private SocketAddress() {}

    static int family(Family family) {
        return family == Family.IPV4 ? AF_INET : AF_INET6;
    }

    /// A place as the kernel has it, in memory of its own.
    static MemorySegment allocate(Arena arena, IpPort place) {
        MemorySegment address = arena.allocate(size(place.ip().family()), 8);
        write(place, address, 0);
        return address;
    }

    static int size(Family family) {
        return family == Family.IPV4 ? INET_SIZE : INET6_SIZE;
    }

    /// Writes it at `offset`, and gives its size.
    static int write(IpPort address, MemorySegment into, long offset) {
        Ip ip = address.ip();
        into.set(JAVA_SHORT, offset, (short) family(ip.family()));
        into.set(PORT, offset + 2, (short) address.port());
        into.set(WORD, offset + 4, ip.family() == Family.IPV4 ? (int) ip.low() : 0);
        if (ip.family() == Family.IPV6) {
            into.set(LONG, offset + 8, ip.high());
            into.set(LONG, offset + 16, ip.low());
            into.set(WORD, offset + 24, 0); // the scope
        }
        return size(ip.family());
    }

    static IpPort read(MemorySegment from, long offset) {
        int port = from.get(PORT, offset + 2) & 0xffff;
        return from.get(JAVA_SHORT, offset) == AF_INET
                ? new IpPort(ipv4(from, offset + 4), port)
                : new IpPort(ipv6(from, offset + 8), port);
    }

    /// An address of a family, without a port around it.
    static Ip ip(Family family, MemorySegment from, long offset) {
        return family == Family.IPV4 ? ipv4(from, offset) : ipv6(from, offset);
    }

    private static Ip ipv4(MemorySegment from, long offset) {
        return new Ip(Family.IPV4, 0, from.get(WORD, offset) & 0xffff_ffffL);
    }

    private static Ip ipv6(MemorySegment from, long offset) {
        return new Ip(Family.IPV6, from.get(LONG, offset), from.get(LONG, offset + 8));
    }

    static void writeIp(Ip ip, MemorySegment into, long offset) {
        if (ip.family() == Family.IPV4) {
            into.set(WORD, offset, (int) ip.low());
        } else {
            into.set(LONG, offset, ip.high());
            into.set(LONG, offset + 8, ip.low());
        }
    }
}
