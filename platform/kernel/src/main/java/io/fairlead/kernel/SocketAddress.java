package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// `struct sockaddr_in` and `struct sockaddr_in6`.
final class SocketAddress {
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;

    /// Of the larger of the two.
    static final int MAX_SIZE = 28;

    private static final int IPV4_SIZE = 16;

    private SocketAddress() {}

    static int family(Ip ip) {
        return ip.family() == Family.IPV4 ? AF_INET : AF_INET6;
    }

    static MemorySegment allocate(Arena arena, IpPort place) {
        boolean four = place.ip().family() == Family.IPV4;
        MemorySegment address = arena.allocate(four ? IPV4_SIZE : MAX_SIZE, 8);
        address.set(JAVA_SHORT, 0, (short) family(place.ip()));
        address.set(JAVA_SHORT, 2, Short.reverseBytes((short) place.port())); // in network order
        byte[] bytes = place.ip().bytes();
        MemorySegment.copy(bytes, 0, address, JAVA_BYTE, four ? 4 : 8, bytes.length);
        return address;
    }

    /// The address and port that the kernel wrote there.
    static IpPort read(MemorySegment memory, long offset) {
        int port = Short.toUnsignedInt(Short.reverseBytes(memory.get(JAVA_SHORT, offset + 2)));
        boolean four = memory.get(JAVA_SHORT, offset) == AF_INET;
        byte[] bytes = new byte[four ? 4 : 16];
        MemorySegment.copy(memory, JAVA_BYTE, offset + (four ? 4 : 8), bytes, 0, bytes.length);
        return new IpPort(Ip.of(bytes), port);
    }
}
