package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// A netlink socket of one protocol, in the network namespace of the thread that opened it.
///
/// The kernel works inside `sendto`: when it returns, the work is done and all replies are queued. So a request is
/// one send and then receives until nothing is left. A netlink socket belongs to one thread at a time.
public final class NetlinkSocket implements AutoCloseable {
    /// Links, addresses, routes.
    public static final int ROUTE = 0;
    /// nf_tables, conntrack, ipset.
    public static final int NETFILTER = 12;
    /// Generic netlink.
    public static final int GENERIC = 16;

    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW = 3;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int SOL_NETLINK = 270;
    private static final int NETLINK_CAP_ACK = 10;
    private static final int NETLINK_EXT_ACK = 11;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int RECEIVE_BUFFER = 256 * 1024;
    private static final int DUMP_ATTEMPTS = 20;

    static final StructLayout SOCKADDR_NL = MemoryLayout.structLayout(
            ValueLayout.JAVA_SHORT.withName("nl_family"),
            MemoryLayout.paddingLayout(2),
            JAVA_INT.withName("nl_pid"),
            JAVA_INT.withName("nl_groups"));

    private final int fd;
    private final int portId;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment kernelAddress = arena.allocate(SOCKADDR_NL);
    private final MemorySegment received = arena.allocate(RECEIVE_BUFFER);

    private NetlinkSocket(int fd) {
        this.fd = fd;
        kernelAddress.set(ValueLayout.JAVA_SHORT, 0, (short) AF_NETLINK);
        SocketCalls.bind("netlink", fd, kernelAddress, size());
        this.portId = readPortId();
    }

    /// Opens a socket of `protocol` with room for large batches, in the calling thread's network namespace.
    public static NetlinkSocket open(int protocol) {
        int type = SOCK_RAW | SOCK_CLOEXEC;
        int fd = SocketCalls.socket("netlink protocol " + protocol, AF_NETLINK, type, protocol);
        NetlinkSocket socket = new NetlinkSocket(fd);
        socket.set(SOL_SOCKET, SO_SNDBUFFORCE, 256 << 20);
        socket.set(SOL_SOCKET, SO_RCVBUFFORCE, 8 << 20);
        socket.set(SOL_NETLINK, NETLINK_CAP_ACK, 1);
        socket.set(SOL_NETLINK, NETLINK_EXT_ACK, 1);
        return socket;
    }

    /// The address of this socket: the owner of tables it creates, and the sender in notifications.
    public int portId() {
        return portId;
    }

    /// Sends messages as one buffer: for nf_tables, one transaction.
    public void send(byte[] messages) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment buffer = local.allocate(Math.max(messages.length, 1));
            MemorySegment.copy(messages, 0, buffer, ValueLayout.JAVA_BYTE, 0, messages.length);
            long length = messages.length;
            SocketCalls.sendto("netlink, " + length + " bytes", fd, buffer, length, 0, kernelAddress, size());
        }
    }

    /// All messages that wait, without waiting for more.
    public List<NetlinkMessage> drain() {
        List<NetlinkMessage> messages = new ArrayList<>();
        byte[] bytes = receive(MSG_DONTWAIT);
        while (bytes.length > 0) {
            NetlinkMessage.parse(bytes, messages);
            bytes = receive(MSG_DONTWAIT);
        }
        return messages;
    }

    /// The messages of a dump, up to its end; throws [KernelException] if the kernel refuses it.
    ///
    /// A dump that a change overtook may have holes or doubles; it is made again, a few times.
    public List<NetlinkMessage> dump(byte[] request) {
        for (int attempt = 0; attempt < DUMP_ATTEMPTS; attempt++) {
            List<NetlinkMessage> messages = dumpWithEnd(request);
            if (messages.stream().noneMatch(NetlinkMessage::isInterrupted)) {
                messages.removeLast();
                return messages;
            }
        }
        throw new KernelException("netlink", Errno.EINTR, "dump, overtaken by changes each time");
    }

    /// The messages of a dump, though a change may have overtaken it: for who knows that this does no harm.
    public List<NetlinkMessage> dumpOnce(byte[] request) {
        List<NetlinkMessage> messages = dumpWithEnd(request);
        messages.removeLast();
        return messages;
    }

    /// With the mark that ends it, which may be the only one to tell of a change.
    private List<NetlinkMessage> dumpWithEnd(byte[] request) {
        send(request);
        List<NetlinkMessage> messages = new ArrayList<>();
        while (messages.isEmpty() || !messages.getLast().isDone()) {
            int from = messages.size();
            NetlinkMessage.parse(receive(0), messages);
            messages.subList(from, messages.size()).forEach(message -> message.throwIfError("dump"));
        }
        return messages;
    }

    /// Sends messages that stand each for itself and ask for no acknowledgement; gives the errors of those refused.
    public List<NetlinkMessage> refusals(byte[] messages) {
        send(messages);
        return drain().stream().filter(NetlinkMessage::isError).toList();
    }

    /// Sends one request that asks for an acknowledgement; throws [KernelException] if the kernel refuses it.
    public void request(byte[] message, String what) {
        send(message);
        for (NetlinkMessage reply : drain()) {
            reply.throwIfError(what);
        }
    }

    @Override
    public void close() {
        FileCalls.close("netlink", fd);
        arena.close();
    }

    private byte[] receive(int flags) {
        long capacity = RECEIVE_BUFFER;
        long length = SocketCalls.tryRecv(fd, received, capacity, flags);
        if (length == -Errno.EAGAIN) {
            return new byte[0];
        }
        if (length < 0) {
            throw new KernelException("recv", (int) -length, "netlink");
        }
        return received.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private void set(int level, int option, int value) {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment word = local.allocateFrom(JAVA_INT, value);
            SocketCalls.setsockopt("netlink option " + option, fd, level, option, word, 4);
        }
    }

    private int readPortId() {
        try (Arena local = Arena.ofConfined()) {
            MemorySegment address = local.allocate(SOCKADDR_NL);
            MemorySegment length = local.allocateFrom(JAVA_INT, size());
            SocketCalls.getsockname("netlink", fd, address, length);
            return address.get(JAVA_INT, 4);
        }
    }

    private static int size() {
        return (int) SOCKADDR_NL.byteSize();
    }
}
