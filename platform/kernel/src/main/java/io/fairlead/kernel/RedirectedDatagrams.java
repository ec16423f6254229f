package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Some datagrams that are received by one call and sent on by another (recvmmsg(2), sendmmsg(2)); where each was
/// sent to stands beside it (IP_PKTINFO, IPV6_PKTINFO), and an answer may name the address it comes from.
///
/// It belongs to one thread.
public final class RedirectedDatagrams implements AutoCloseable {
    /// How many there are at most.
    public static final int SIZE = 32;

    private static final int SOCK_DGRAM = 2;
    private static final int NONBLOCK_CLOEXEC = 0x80800;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int IPPROTO_IP = 0;
    private static final int IP_PKTINFO = 8;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_V6ONLY = 26;
    private static final int IPV6_RECVPKTINFO = 49;
    private static final int IPV6_PKTINFO = 50;

    private static final int MOST_BYTES = 65_536;
    private static final int NAME_BYTES = 32;
    private static final int CONTROL_BYTES = 64;
    /// struct mmsghdr: a struct msghdr of 56 bytes, and the length of the message.
    private static final int HEADER_BYTES = 64;

    private static final int NAME = 0;
    private static final int NAME_LENGTH = 8;
    private static final int VECTOR = 16;
    private static final int VECTORS = 24;
    private static final int CONTROL = 32;
    private static final int CONTROL_LENGTH = 40;
    private static final int LENGTH = 56;
    /// struct cmsghdr.
    private static final int CONTROL_HEADER = 16;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment bytes = arena.allocate((long) SIZE * MOST_BYTES, 64);
    private final MemorySegment received = arena.allocate((long) SIZE * HEADER_BYTES, 8);
    private final MemorySegment sent = arena.allocate((long) SIZE * HEADER_BYTES, 8);
    private final MemorySegment vectors = arena.allocate(2L * SIZE * 16, 8);
    private final MemorySegment names = arena.allocate((long) SIZE * NAME_BYTES, 8);
    private final MemorySegment controls = arena.allocate((long) SIZE * CONTROL_BYTES, 8);
    private final MemorySegment client = arena.allocate(NAME_BYTES, 8);
    private final MemorySegment source = arena.allocate(CONTROL_BYTES, 8);

    /// A socket that is bound to a port, or to a free one if that is 0, and tells where a datagram was sent to.
    public static int bind(IpPort at) {
        Family family = at.ip().family();
        int socket = open(family);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment on = arena.allocateFrom(JAVA_INT, 1);
            if (family == Family.IPV6) {
                SocketCalls.setsockopt("ipv6", socket, IPPROTO_IPV6, IPV6_V6ONLY, on, 4);
            }
            int level = family == Family.IPV4 ? IPPROTO_IP : IPPROTO_IPV6;
            int option = family == Family.IPV4 ? IP_PKTINFO : IPV6_RECVPKTINFO;
            SocketCalls.setsockopt("packet info", socket, level, option, on, 4);
            MemorySegment address = arena.allocate(SocketAddress.INET6_SIZE, 8);
            int size = SocketAddress.write(at, address, 0);
            SocketCalls.bind(at.toString(), socket, address, size);
            return socket;
        } catch (KernelException e) {
            StreamSockets.close(socket);
            throw e;
        }
    }

    /// A socket for one peer, of whom alone it hears.
    public static int connect(IpPort peer) {
        int socket = open(peer.ip().family());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(SocketAddress.INET6_SIZE, 8);
            int size = SocketAddress.write(peer, address, 0);
            SocketCalls.connect(peer.toString(), socket, address, size);
            return socket;
        } catch (KernelException e) {
            StreamSockets.close(socket);
            throw e;
        }
    }

    private static int open(Family family) {
        return SocketCalls.socket("datagrams", SocketAddress.family(family), SOCK_DGRAM | NONBLOCK_CLOEXEC, 0);
    }

    /// Takes what is there; gives how many, or a negative [Errno].
    public int receive(int socket) {
        for (int i = 0; i < SIZE; i++) {
            vector(i, i, MOST_BYTES);
            header(received, i, i, names.address() + (long) i * NAME_BYTES, NAME_BYTES);
            received.set(JAVA_LONG, (long) i * HEADER_BYTES + CONTROL, controls.address() + (long) i * CONTROL_BYTES);
            received.set(JAVA_LONG, (long) i * HEADER_BYTES + CONTROL_LENGTH, CONTROL_BYTES);
        }
        return MessageCalls.quickRecvmmsg(socket, received, SIZE, MSG_DONTWAIT);
    }

    /// Who sent it.
    public IpPort from(int place) {
        return SocketAddress.read(names, (long) place * NAME_BYTES);
    }

    /// The address of this machine that it was sent to.
    public Ip to(int place, Family family) {
        long control = (long) place * CONTROL_BYTES + CONTROL_HEADER;
        return family == Family.IPV4
                ? SocketAddress.ip(family, controls, control + 8)
                : SocketAddress.ip(family, controls, control);
    }

    private int length(int place) {
        return received.get(JAVA_INT, (long) place * HEADER_BYTES + LENGTH);
    }

    /// Sends some of what was received to the peer of a socket; gives how many, or a negative [Errno].
    public int send(int socket, int first, int count) {
        for (int i = 0; i < count; i++) {
            vector(SIZE + i, first + i, length(first + i));
            header(sent, i, SIZE + i, 0, 0);
        }
        return MessageCalls.quickSendmmsg(socket, sent, count, MSG_DONTWAIT);
    }

    /// Sends some of what was received to `to`, from the address `from` of this machine.
    public int answer(int socket, int first, int count, IpPort to, Ip from) {
        int size = SocketAddress.write(to, client, 0);
        int control = source(from);
        for (int i = 0; i < count; i++) {
            vector(SIZE + i, first + i, length(first + i));
            header(sent, i, SIZE + i, client.address(), size);
            sent.set(JAVA_LONG, (long) i * HEADER_BYTES + CONTROL, source.address());
            sent.set(JAVA_LONG, (long) i * HEADER_BYTES + CONTROL_LENGTH, control);
        }
        return MessageCalls.quickSendmmsg(socket, sent, count, MSG_DONTWAIT);
    }

    private int source(Ip from) {
        boolean ipv4 = from.family() == Family.IPV4;
        int content = ipv4 ? 12 : 20; // struct in_pktinfo, struct in6_pktinfo
        source.fill((byte) 0);
        source.set(JAVA_LONG, 0, CONTROL_HEADER + content);
        source.set(JAVA_INT, 8, ipv4 ? IPPROTO_IP : IPPROTO_IPV6);
        source.set(JAVA_INT, 12, ipv4 ? IP_PKTINFO : IPV6_PKTINFO);
        SocketAddress.writeIp(from, source, CONTROL_HEADER + (ipv4 ? 4 : 0));
        return CONTROL_HEADER + (content + 7 & ~7);
    }

    /// A struct iovec.
    private void vector(int place, int message, int length) {
        vectors.set(JAVA_LONG, place * 16L, bytes.address() + (long) message * MOST_BYTES);
        vectors.set(JAVA_LONG, place * 16L + 8, length);
    }

    private void header(MemorySegment headers, int place, int vector, long name, int nameLength) {
        long header = (long) place * HEADER_BYTES;
        headers.set(JAVA_LONG, header + NAME, name);
        headers.set(JAVA_INT, header + NAME_LENGTH, nameLength);
        headers.set(JAVA_LONG, header + VECTOR, vectors.address() + vector * 16L);
        headers.set(JAVA_LONG, header + VECTORS, 1);
        headers.set(JAVA_LONG, header + CONTROL, 0);
        headers.set(JAVA_LONG, header + CONTROL_LENGTH, 0);
    }

    @Override
    public void close() {
        arena.close();
    }
}
