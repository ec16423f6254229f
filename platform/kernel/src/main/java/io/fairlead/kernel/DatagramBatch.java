package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/// A UDP socket that takes in and answers many datagrams a call, by `recvmmsg(2)` and `sendmmsg(2)`.
///
/// Several may be open at one address: the kernel shares the clients out among them. Each belongs to one thread, but
/// for [#reply], which any may call. A datagram's place is its number in the batch that was received last.
public final class DatagramBatch implements AutoCloseable {
    /// How many datagrams one call takes.
    public static final int SIZE = 64;

    /// The longest datagram that is taken or sent.
    public static final int MAX_LENGTH = 4096;

    /// From one datagram to the next in memory: at a distance of 4096 bytes all would want the same lines of a cache.
    static final int STRIDE = MAX_LENGTH + 192;

    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_REUSEADDR = 2;
    private static final int SO_RCVBUF = 8;
    private static final int SO_REUSEPORT = 15;
    private static final int SO_RCVTIMEO = 20;
    private static final int IPPROTO_IP = 0;
    private static final int IP_PKTINFO = 8;
    private static final int IP_FREEBIND = 15;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_V6ONLY = 26;
    private static final int IPV6_RECVPKTINFO = 49;
    private static final int MSG_WAITFORONE = 0x10000;
    private static final int WANTED_BUFFER = 4 << 20;

    // struct mmsghdr: a struct msghdr of 56 bytes, the length, and padding
    static final int HEADER = 64;
    static final int NAME = 0;
    static final int NAME_LENGTH = 8;
    static final int VECTOR = 16;
    static final int VECTOR_LENGTH = 24;
    static final int CONTROL = 32;
    static final int CONTROL_LENGTH = 40;
    static final int LENGTH = 56;

    static final int VECTOR_SIZE = 16;
    static final int NAME_SIZE = 32;
    static final int CONTROL_SIZE = 64;
    // struct cmsghdr is 16 bytes; the link's number is first in in_pktinfo, and behind the address in in6_pktinfo
    private static final int LINK_IPV4 = 16;
    private static final int LINK_IPV6 = 32;

    private final int fd;
    private final boolean anyAddress;
    private final int linkOffset;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment incoming = arena.allocate((long) SIZE * HEADER, 8);
    private final MemorySegment names = arena.allocate((long) SIZE * NAME_SIZE, 8);
    private final MemorySegment controls = arena.allocate((long) SIZE * CONTROL_SIZE, 8);
    private final MemorySegment received = arena.allocate((long) SIZE * STRIDE, 8);
    private final MemorySegment incomingVectors = arena.allocate((long) SIZE * VECTOR_SIZE, 8);
    private final OutgoingDatagrams outgoing;

    private DatagramBatch(int fd, IpPort address) {
        this.fd = fd;
        this.anyAddress = address.ip().high() == 0 && address.ip().low() == 0;
        this.linkOffset = address.ip().family() == Family.IPV4 ? LINK_IPV4 : LINK_IPV6;
        this.outgoing = new OutgoingDatagrams(fd, arena, names, anyAddress ? controls : null);
        for (int i = 0; i < SIZE; i++) {
            long vector = (long) i * VECTOR_SIZE;
            incomingVectors.set(JAVA_LONG, vector, received.address() + (long) i * STRIDE);
            incomingVectors.set(JAVA_LONG, vector + 8, MAX_LENGTH);
            incoming.set(JAVA_LONG, (long) i * HEADER + VECTOR, incomingVectors.address() + vector);
            incoming.set(JAVA_LONG, (long) i * HEADER + VECTOR_LENGTH, 1);
        }
    }

    /// Hears at an address, which the machine may get later; [#receive] waits for `patience` at most.
    public static DatagramBatch open(IpPort address, Duration patience) {
        int family = SocketAddress.family(address.ip().family());
        int fd = SocketCalls.socket("datagrams", family, SOCK_DGRAM_CLOEXEC, 0);
        DatagramBatch batch = new DatagramBatch(fd, address);
        try {
            batch.prepare(family, patience);
            try (Arena local = Arena.ofConfined()) {
                MemorySegment place = SocketAddress.allocate(local, address);
                SocketCalls.bind(address + "/udp", fd, place, place.byteSize());
            }
            return batch;
        } catch (KernelException e) {
            batch.close();
            throw e;
        }
    }

    private void prepare(int family, Duration patience) {
        set(SOL_SOCKET, SO_REUSEADDR, 1);
        set(SOL_SOCKET, SO_REUSEPORT, 1);
        set(SOL_SOCKET, SO_RCVBUF, WANTED_BUFFER);
        set(IPPROTO_IP, IP_FREEBIND, 1);
        if (family == SocketAddress.AF_INET6) {
            set(IPPROTO_IPV6, IPV6_V6ONLY, 1);
        }
        if (anyAddress && family == SocketAddress.AF_INET6) {
            set(IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
        } else if (anyAddress) {
            set(IPPROTO_IP, IP_PKTINFO, 1);
        }
        try (Arena local = Arena.ofConfined()) {
            MemorySegment time = local.allocateFrom(
                    JAVA_LONG, patience.toSeconds(), patience.toNanosPart() / 1000); // struct timeval
            SocketCalls.setsockopt("patience", fd, SOL_SOCKET, SO_RCVTIMEO, time, time.byteSize());
        }
    }

    private void set(int level, int option, int value) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment memory = local.allocateFrom(JAVA_INT, value);
            SocketCalls.setsockopt("datagrams", fd, level, option, memory, 4);
        }
    }

    /// Waits for a datagram, and takes those that are there; gives how many, none when the patience is over.
    public int receive() {
        for (int i = 0; i < SIZE; i++) {
            long at = (long) i * HEADER;
            incoming.set(JAVA_LONG, at + NAME, names.address() + (long) i * NAME_SIZE);
            incoming.set(JAVA_INT, at + NAME_LENGTH, NAME_SIZE);
            if (anyAddress) {
                incoming.set(JAVA_LONG, at + CONTROL, controls.address() + (long) i * CONTROL_SIZE);
                incoming.set(JAVA_LONG, at + CONTROL_LENGTH, CONTROL_SIZE);
            }
        }
        long count = MessageCalls.tryRecvmmsg(fd, incoming, SIZE, MSG_WAITFORONE);
        if (count < 0 && count != -Errno.EAGAIN && count != -Errno.ECONNREFUSED) {
            throw new KernelException("recvmmsg", (int) -count, "datagrams");
        }
        return (int) Math.max(0, count);
    }

    /// Copies a datagram of the batch; gives its length.
    public int read(int place, byte[] into) {
        int length = Math.min(incoming.get(JAVA_INT, (long) place * HEADER + LENGTH), into.length);
        MemorySegment.copy(received, JAVA_BYTE, (long) place * STRIDE, into, 0, length);
        return length;
    }

    /// From where a datagram of the batch came.
    public IpPort source(int place) {
        return SocketAddress.read(names, (long) place * NAME_SIZE);
    }

    /// What is needed to answer a datagram of the batch when the next has long been received.
    public byte[] returnAddress(int place) {
        byte[] both = new byte[NAME_SIZE + CONTROL_SIZE];
        MemorySegment.copy(names, JAVA_BYTE, (long) place * NAME_SIZE, both, 0, NAME_SIZE);
        MemorySegment.copy(controls, JAVA_BYTE, (long) place * CONTROL_SIZE, both, NAME_SIZE, CONTROL_SIZE);
        return both;
    }

    /// Lays an answer to a datagram of the batch ready; [#send] sends them all.
    public void answer(int place, byte[] bytes, int length) {
        if (anyAddress) {
            // From the address it was sent to; by which link is for the routes to say.
            controls.set(JAVA_INT, (long) place * CONTROL_SIZE + linkOffset, 0);
        }
        outgoing.add(place, bytes, length);
    }

    /// Sends what was laid ready. What the kernel does not take is lost, as datagrams are.
    public void send() {
        outgoing.send();
    }

    /// Sends one datagram to where a [#returnAddress] says.
    public void reply(byte[] returnAddress, byte[] bytes, int length) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment to = local.allocate(NAME_SIZE + CONTROL_SIZE, 8);
            MemorySegment.copy(returnAddress, 0, to, JAVA_BYTE, 0, returnAddress.length);
            MemorySegment content = local.allocate(length, 8);
            MemorySegment.copy(bytes, 0, content, JAVA_BYTE, 0, length);
            MemorySegment vector = local.allocateFrom(JAVA_LONG, content.address(), length);
            MemorySegment header = local.allocate(HEADER, 8);
            header.set(JAVA_LONG, NAME, to.address());
            header.set(JAVA_INT, NAME_LENGTH, linkOffset == LINK_IPV4 ? 16 : SocketAddress.INET6_SIZE);
            header.set(JAVA_LONG, VECTOR, vector.address());
            header.set(JAVA_LONG, VECTOR_LENGTH, 1);
            if (anyAddress) {
                to.set(JAVA_INT, NAME_SIZE + linkOffset, 0);
                header.set(JAVA_LONG, CONTROL, to.address() + NAME_SIZE);
                header.set(JAVA_LONG, CONTROL_LENGTH, to.get(JAVA_LONG, NAME_SIZE)); // cmsg_len, here the only one
            }
            MessageCalls.trySendmmsg(fd, header, 0, 1, 0);
        }
    }

    /// Ends the socket; a thread that waits in [#receive] must have ended.
    @Override
    public void close() {
        FileCalls.close("datagrams", fd);
        arena.close();
    }
}
