package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Gives open descriptors to another process of the same network namespace, over a unix socket without a file
/// (unix(7), SCM_RIGHTS).
///
/// One process offers under a name, and its successor takes. The connection between them stays open: what the successor
/// sends over it, or that it ends, is for the one who offered to hear.
public final class HandOver implements AutoCloseable {
    private static final int AF_UNIX = 1;
    private static final int SOCK_SEQPACKET = 5;
    private static final int NONBLOCK_CLOEXEC = 0x80800;
    private static final int CLOEXEC = 0x80000;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int SCM_RIGHTS = 1;
    private static final int MOST = 64;
    private static final int CONTROL_HEADER = 16;
    private static final int MESSAGE_HEADER = 56;

    private final int socket;

    private HandOver(int socket) {
        this.socket = socket;
    }

    /// The descriptors that were taken, and the connection over which to say so.
    public record Taken(List<Integer> descriptors, HandOver connection) {
        public Taken {
            descriptors = List.copyOf(descriptors);
        }
    }

    /// Waits under a name for successors; throws [KernelException] if another process does so already.
    public static HandOver offer(String name) {
        int socket = SocketCalls.socket(name, AF_UNIX, SOCK_SEQPACKET | NONBLOCK_CLOEXEC, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = address(name, arena);
            SocketCalls.bind(name, socket, address, address.byteSize());
            SocketCalls.listen(name, socket, 4);
            return new HandOver(socket);
        } catch (KernelException e) {
            StreamSockets.close(socket);
            throw e;
        }
    }

    /// What the process gives that offers under this name, if there is one.
    public static Optional<Taken> take(String name) {
        int socket = SocketCalls.socket(name, AF_UNIX, SOCK_SEQPACKET | CLOEXEC, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = address(name, arena);
            if (SocketCalls.tryConnect(socket, address, address.byteSize()) < 0) {
                StreamSockets.close(socket);
                return Optional.empty();
            }
            return Optional.of(new Taken(receive(socket, arena), new HandOver(socket)));
        } catch (KernelException e) {
            StreamSockets.close(socket);
            throw e;
        }
    }

    private static MemorySegment address(String name, Arena arena) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        MemorySegment address = arena.allocate(3L + text.length, 8); // a zero stands for a name without a file
        address.set(JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(text, 0, address, JAVA_BYTE, 3, text.length);
        return address;
    }

    /// For [Epoll]: readable when a successor is there, or said something.
    public int descriptor() {
        return socket;
    }

    /// The connection of the next successor, after it was given these descriptors.
    public Optional<HandOver> give(List<Integer> descriptors) {
        int successor = SocketCalls.tryAccept4(socket, MemorySegment.NULL, MemorySegment.NULL, CLOEXEC);
        if (successor < 0) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            send(successor, descriptors, arena);
            return Optional.of(new HandOver(successor));
        } catch (KernelException _) {
            StreamSockets.close(successor);
            return Optional.empty(); // it is gone
        }
    }

    private static void send(int to, List<Integer> descriptors, Arena arena) {
        int content = 4 * descriptors.size();
        MemorySegment control = arena.allocate(CONTROL_HEADER + (content + 7 & ~7), 8);
        control.set(JAVA_LONG, 0, CONTROL_HEADER + content);
        control.set(JAVA_INT, 8, SOL_SOCKET);
        control.set(JAVA_INT, 12, SCM_RIGHTS);
        for (int i = 0; i < descriptors.size(); i++) {
            control.set(JAVA_INT, CONTROL_HEADER + 4L * i, descriptors.get(i));
        }
        MessageCalls.sendmsg("descriptors", to, message(control, arena), MSG_NOSIGNAL);
    }

    private static List<Integer> receive(int from, Arena arena) {
        MemorySegment control = arena.allocate(CONTROL_HEADER + 4L * MOST, 8);
        MemorySegment message = message(control, arena);
        MessageCalls.recvmsg("descriptors", from, message, MSG_CMSG_CLOEXEC);
        List<Integer> descriptors = new ArrayList<>();
        long end = message.get(JAVA_LONG, 40) == 0 ? 0 : control.get(JAVA_LONG, 0);
        for (long at = CONTROL_HEADER; at + 4 <= end; at += 4) {
            descriptors.add(control.get(JAVA_INT, at));
        }
        return descriptors;
    }

    /// A struct msghdr with one byte, since nothing goes beside nothing.
    private static MemorySegment message(MemorySegment control, Arena arena) {
        MemorySegment vector = arena.allocate(16, 8);
        vector.set(JAVA_LONG, 0, arena.allocate(1).address());
        vector.set(JAVA_LONG, 8, 1);
        MemorySegment message = arena.allocate(MESSAGE_HEADER, 8);
        message.set(JAVA_LONG, 16, vector.address());
        message.set(JAVA_LONG, 24, 1);
        message.set(JAVA_LONG, 32, control.address());
        message.set(JAVA_LONG, 40, control.byteSize());
        return message;
    }

    /// Says to the other side that all is taken, and waits until it offers no more; for `patience` at most.
    public void confirm(Duration patience) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocateFrom(JAVA_BYTE, (byte) 1);
            MemorySegment time = arena.allocateFrom(JAVA_LONG, patience.toSeconds(), patience.toNanosPart() / 1000);
            SocketCalls.setsockopt("patience", socket, SOL_SOCKET, SO_RCVTIMEO, time, time.byteSize());
            SocketCalls.trySend(socket, one, 1, MSG_NOSIGNAL);
            SocketCalls.tryRecv(socket, one, 1, 0);
        }
    }

    /// Whether the other side confirmed; false if it went away without. To be asked when something is to be heard.
    public boolean isConfirmed() {
        try (Arena arena = Arena.ofConfined()) {
            return SocketCalls.tryRecv(socket, arena.allocate(1), 1, 0) == 1;
        }
    }

    @Override
    public void close() {
        StreamSockets.close(socket);
    }
}
