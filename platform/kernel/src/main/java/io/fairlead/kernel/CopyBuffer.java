package io.fairlead.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A few pages of native memory through which one thread passes small messages from socket to socket: two calls a
/// message, and no page changes its owner.
///
/// Each call gives a number of bytes, or a negative [Errno].
public final class CopyBuffer implements AutoCloseable {
    /// A message that fills it is better spliced; and a [Pipe] takes all that is inside.
    public static final int CAPACITY = 16_384;

    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_DONTWAIT = 0x40;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment bytes = arena.allocate(CAPACITY, 64);

    /// Takes what a socket has to read; 0 if it ended. Less than [#CAPACITY] means that the socket has no more now.
    public int fillFrom(int socket) {
        return SocketCalls.quickRecv(socket, bytes, CAPACITY, MSG_DONTWAIT);
    }

    /// Gives the bytes from `from` to `to` to a socket, as many as it takes.
    public int send(int socket, int from, int to) {
        return SocketCalls.quickSend(socket, bytes, from, to - from, MSG_DONTWAIT | MSG_NOSIGNAL);
    }

    /// Puts the bytes from `from` to `to` into an empty pipe, where they wait.
    public int store(Pipe pipe, int from, int to) {
        return pipe.write(bytes, from, to - from);
    }

    /// Writes these bytes at the start.
    public void put(byte[] content) {
        MemorySegment.copy(content, 0, bytes, ValueLayout.JAVA_BYTE, 0, content.length);
    }

    @Override
    public void close() {
        arena.close();
    }
}
