package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.time.Duration;
import java.util.Optional;

/// Whole Ethernet frames of one link and one protocol, in the network namespace of the thread that opened it
/// (packet(7)). It belongs to one thread.
public final class PacketSocket implements AutoCloseable {
    /// The protocols, by their number in the frame.
    public static final int ARP = 0x0806;

    public static final int IPV6 = 0x86dd;

    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW = 3;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int SO_ATTACH_FILTER = 26;
    private static final int MAX_FRAME = 2048;

    static final StructLayout SOCKADDR_LL = MemoryLayout.structLayout(
            JAVA_SHORT.withName("sll_family"),
            JAVA_SHORT.withName("sll_protocol"),
            JAVA_INT.withName("sll_ifindex"),
            JAVA_SHORT.withName("sll_hatype"),
            JAVA_BYTE.withName("sll_pkttype"),
            JAVA_BYTE.withName("sll_halen"),
            MemoryLayout.sequenceLayout(8, JAVA_BYTE).withName("sll_addr"));

    static final StructLayout SOCK_FPROG = MemoryLayout.structLayout(
            JAVA_SHORT.withName("len"), MemoryLayout.paddingLayout(6), ADDRESS.withName("filter"));

    private final int fd;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment received = arena.allocate(MAX_FRAME);

    private PacketSocket(int fd) {
        this.fd = fd;
    }

    /// Hears and sends on the link of number `link`; [#receive] waits for `patience` at most.
    public static PacketSocket open(int link, int protocol, SocketFilter filter, Duration patience) {
        // Without a protocol it hears nothing until it is bound, so no frame comes in before the filter.
        int type = SOCK_RAW | SOCK_CLOEXEC;
        int fd = SocketCalls.socket("packets", AF_PACKET, type, 0);
        PacketSocket socket = new PacketSocket(fd);
        try {
            socket.attach(filter);
            socket.waitAtMost(patience);
            socket.bind(link, protocol);
            return socket;
        } catch (KernelException e) {
            socket.close();
            throw e;
        }
    }

    /// Sends a frame with its Ethernet header.
    public void send(byte[] frame) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment buffer = local.allocateFrom(JAVA_BYTE, frame);
            long length = frame.length;
            SocketCalls.sendto("frame", fd, buffer, length, 0, MemorySegment.NULL, 0);
        }
    }

    /// The next frame with its Ethernet header, its end cut off if it is long; nothing when the patience is over.
    public Optional<byte[]> receive() {
        try {
            long capacity = MAX_FRAME;
            int length = SocketCalls.recv("frame", fd, received, capacity, 0);
            return Optional.of(received.asSlice(0, length).toArray(JAVA_BYTE));
        } catch (KernelException e) {
            if (e.is(Errno.EAGAIN)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public void close() {
        FileCalls.close("packets", fd);
        arena.close();
    }

    private void attach(SocketFilter filter) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment program = local.allocate(SOCK_FPROG);
            program.set(JAVA_SHORT, 0, (short) filter.instructions().size());
            program.set(ADDRESS, 8, local.allocateFrom(JAVA_BYTE, filter.bytes()));
            set(SO_ATTACH_FILTER, "filter", program);
        }
    }

    private void waitAtMost(Duration patience) {
        try (Arena local = Arena.ofConfined()) {
            // struct timeval
            set(
                    SO_RCVTIMEO,
                    "patience",
                    local.allocateFrom(JAVA_LONG, patience.toSeconds(), patience.toNanosPart() / 1000));
        }
    }

    private void bind(int link, int protocol) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment address = local.allocate(SOCKADDR_LL);
            address.set(JAVA_SHORT, 0, (short) AF_PACKET);
            address.set(JAVA_SHORT, 2, Short.reverseBytes((short) protocol)); // in network order
            address.set(JAVA_INT, 4, link);
            int size = (int) SOCKADDR_LL.byteSize();
            SocketCalls.bind("packets of link " + link, fd, address, size);
        }
    }

    private void set(int option, String what, MemorySegment value) {
        int size = (int) value.byteSize();
        SocketCalls.setsockopt(what, fd, SOL_SOCKET, option, value, size);
    }
}
