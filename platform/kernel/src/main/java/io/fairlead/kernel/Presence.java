package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// A UDP and a TCP socket at an address that this machine need not have. They hear nothing: rules of the packet filter
/// ask whether they are there. They go with the process, however it ends.
public final class Presence implements AutoCloseable {
    private static final int SOCK_STREAM_CLOEXEC = 1 | 0x80000;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_REUSEADDR = 2;
    private static final int SO_REUSEPORT = 15;
    private static final int IPPROTO_IP = 0;
    private static final int IP_FREEBIND = 15;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_V6ONLY = 26;

    private final List<Integer> sockets = new ArrayList<>();

    private Presence() {}

    /// Binds both; a process that has them too, such as the one before, does no harm.
    public static Presence at(IpPort address) {
        Presence presence = new Presence();
        try {
            presence.bind(address, SOCK_DGRAM_CLOEXEC);
            int listener = presence.bind(address, SOCK_STREAM_CLOEXEC);
            SocketCalls.listen(address + "/tcp", listener, 1);
            return presence;
        } catch (KernelException e) {
            presence.close();
            throw e;
        }
    }

    private int bind(IpPort address, int type) {
        int socket = SocketCalls.socket(
                address.toString(), SocketAddress.family(address.ip().family()), type, 0);
        sockets.add(socket);
        set(socket, SOL_SOCKET, SO_REUSEADDR);
        set(socket, SOL_SOCKET, SO_REUSEPORT);
        set(socket, IPPROTO_IP, IP_FREEBIND);
        if (address.ip().family() == Family.IPV6) {
            set(socket, IPPROTO_IPV6, IPV6_V6ONLY);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment place = SocketAddress.allocate(arena, address);
            SocketCalls.bind(address.toString(), socket, place, place.byteSize());
        }
        return socket;
    }

    private static void set(int socket, int level, int option) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment on = arena.allocateFrom(JAVA_INT, 1);
            SocketCalls.setsockopt("a socket", socket, level, option, on, 4);
        }
    }

    @Override
    public void close() {
        sockets.forEach(socket -> FileCalls.close("a socket", socket));
        sockets.clear();
    }
}
