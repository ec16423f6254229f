package io.fairlead.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A pipe between two sockets: what goes through it by splice(2) never leaves the kernel.
///
/// Each call gives a number of bytes, or a negative [Errno]. It belongs to one thread.
public final class Pipe implements AutoCloseable {
    /// What a pipe of the kernel's own size takes: 16 pages.
    public static final int CAPACITY = 65_536;

    private static final int CLOEXEC = 0x80000;
    private static final int NONBLOCK = 0x800;
    private static final int MOVE = 1;
    private static final int NOT_WAIT = 2;
    private static final int MORE = 4;

    private final int in;
    private final int out;
    private int size;

    private Pipe(int out, int in) {
        this.out = out;
        this.in = in;
    }

    public static Pipe open() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment both = arena.allocate(ValueLayout.JAVA_INT, 2);
            FileCalls.pipe2("a pipe", both, CLOEXEC | NONBLOCK);
            return new Pipe(both.get(ValueLayout.JAVA_INT, 0), both.get(ValueLayout.JAVA_INT, 4));
        }
    }

    /// How many bytes are inside.
    public int size() {
        return size;
    }

    /// Takes what a socket has to read; 0 if it ended.
    public int fillFrom(int socket) {
        int given = FileCalls.quickSplice(socket, in, CAPACITY, MOVE | NOT_WAIT);
        size += Math.max(given, 0);
        return given;
    }

    /// Gives what is inside to a socket, as much as that takes; `more` if there will be more at once.
    public int emptyInto(int socket, boolean more) {
        int flags = MOVE | NOT_WAIT | (more ? MORE : 0);
        int given = FileCalls.quickSplice(out, socket, size, flags);
        size -= Math.max(given, 0);
        return given;
    }

    /// Takes these bytes; a pipe that is empty takes [#CAPACITY] of them.
    int write(MemorySegment bytes, long from, int length) {
        int given = FileCalls.quickWrite(in, bytes, from, length);
        size += Math.max(given, 0);
        return given;
    }

    @Override
    public void close() {
        FileCalls.close("a pipe", in);
        FileCalls.close("a pipe", out);
    }
}
