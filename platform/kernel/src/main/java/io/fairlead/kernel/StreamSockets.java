package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// TCP sockets that never wait (tcp(7)), as one thread uses them; made in the network namespace of that thread.
///
/// A socket is the number of its descriptor; a negative number is an [Errno].
public final class StreamSockets implements AutoCloseable {
    private static final int SOCK_STREAM = 1;
    private static final int NONBLOCK_CLOEXEC = 0x80800;
    private static final int SOL_SOCKET = 1;
    private static final int SO_REUSEADDR = 2;
    private static final int SO_ERROR = 4;
    private static final int SO_KEEPALIVE = 9;
    private static final int SO_LINGER = 13;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_NODELAY = 1;
    private static final int IPPROTO_IP = 0;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_V6ONLY = 26;
    private static final int SO_ORIGINAL_DST = 80;
    private static final int SHUT_WR = 1;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment address = arena.allocate(SocketAddress.INET6_SIZE, 8);
    private final MemorySegment length = arena.allocate(JAVA_INT);
    private final MemorySegment number = arena.allocate(JAVA_INT, 2);

    /// Listens at an address; port 0 takes a free one. What it accepts sends at once, however little it is.
    public int listen(IpPort at, int backlog) {
        int socket =
                SocketCalls.socket(at.toString(), SocketAddress.family(at.ip().family()), stream(), 0);
        try {
            set(socket, SOL_SOCKET, SO_REUSEADDR, 1);
            set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
            set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
            if (at.ip().family() == Family.IPV6) {
                set(socket, IPPROTO_IPV6, IPV6_V6ONLY, 1);
            }
            int size = SocketAddress.write(at, address, 0);
            SocketCalls.bind(at.toString(), socket, address, size);
            SocketCalls.listen(at.toString(), socket, backlog);
            return socket;
        } catch (KernelException e) {
            close(socket);
            throw e;
        }
    }

    private static int stream() {
        return SOCK_STREAM | NONBLOCK_CLOEXEC;
    }

    /// Where a socket is bound.
    public IpPort local(int socket) {
        length.set(JAVA_INT, 0, SocketAddress.INET6_SIZE);
        SocketCalls.getsockname("a socket", socket, address, length);
        return SocketAddress.read(address, 0);
    }

    /// The next connection that was made, or a negative [Errno].
    public int accept(int listener) {
        length.set(JAVA_INT, 0, SocketAddress.INET6_SIZE);
        return SocketCalls.quickAccept4(listener, address, length, NONBLOCK_CLOEXEC);
    }

    /// Who made the connection that [#accept] gave last.
    public IpPort peer() {
        return SocketAddress.read(address, 0);
    }

    /// Where the client of a redirected connection wanted to go (SO_ORIGINAL_DST, and its IPv6 twin).
    public Optional<IpPort> originalDestination(int socket, Family family) {
        int level = family == Family.IPV4 ? IPPROTO_IP : IPPROTO_IPV6;
        length.set(JAVA_INT, 0, SocketAddress.size(family));
        long given = SocketCalls.quickGetsockopt(socket, level, SO_ORIGINAL_DST, address, length);
        return given < 0 ? Optional.empty() : Optional.of(SocketAddress.read(address, 0));
    }

    /// A new socket for a connection to somewhere of this family.
    public int open(Family family) {
        int socket = SocketCalls.quickSocket(SocketAddress.family(family), stream(), 0);
        if (socket >= 0) {
            number.set(JAVA_INT, 0, 1);
            SocketCalls.quickSetsockopt(socket, IPPROTO_TCP, TCP_NODELAY, number, 4);
        }
        return socket;
    }

    /// Begins a connection: 0 if it is there already, `-EINPROGRESS` if it is under way, or another negative [Errno].
    public int connect(int socket, IpPort target) {
        int size = SocketAddress.write(target, address, 0);
        return SocketCalls.quickConnect(socket, address, size);
    }

    /// What became of a connection that was under way: 0, or an [Errno].
    public int error(int socket) {
        length.set(JAVA_INT, 0, 4);
        long given = SocketCalls.quickGetsockopt(socket, SOL_SOCKET, SO_ERROR, number, length);
        return given < 0 ? (int) -given : number.get(JAVA_INT, 0);
    }

    /// Says that no more will be sent; the other way stays open.
    public static int endOutput(int socket) {
        return SocketCalls.quickShutdown(socket, SHUT_WR);
    }

    public static void close(int descriptor) {
        FileCalls.quickClose(descriptor);
    }

    /// Closes a connection by a reset: the other side learns that something was lost.
    public void reset(int socket) {
        number.set(JAVA_INT, 0, 1);
        number.set(JAVA_INT, 4, 0);
        SocketCalls.quickSetsockopt(socket, SOL_SOCKET, SO_LINGER, number, 8);
        close(socket);
    }

    /// Every address of the machine.
    public static Ip any(Family family) {
        return new Ip(family, 0, 0);
    }

    private void set(int socket, int level, int option, int value) {
        number.set(JAVA_INT, 0, value);
        SocketCalls.setsockopt("option " + option, socket, level, option, number, 4);
    }

    @Override
    public void close() {
        arena.close();
    }
}
