package io.fairlead.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// A file without a name that lives in memory, to be handed to a child process; its offset stays at the start.
final class MemoryFile implements AutoCloseable {
    private static final int MFD_CLOEXEC = 1;
    private static final int SEEK_END = 2;

    private final int fd;

    MemoryFile(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            fd = FileCalls.memfdCreate(name, text, MFD_CLOEXEC);
        }
    }

    int fd() {
        return fd;
    }

    void write(byte[] content) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Math.max(content.length, 1));
            MemorySegment.copy(content, 0, buffer, ValueLayout.JAVA_BYTE, 0, content.length);
            long done = 0;
            while (done < content.length) {
                long at = done;
                long left = content.length - done;
                done += FileCalls.pwrite("a file in memory", fd, buffer.asSlice(at), left, at);
            }
        }
    }

    byte[] read() {
        long size = FileCalls.lseek("a file in memory", fd, 0L, SEEK_END);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Math.max(size, 1));
            long done = 0;
            while (done < size) {
                long at = done;
                long count = FileCalls.pread("a file in memory", fd, buffer.asSlice(at), size - at, at);
                if (count == 0) {
                    break; // a writer made it shorter
                }
                done += count;
            }
            return Arrays.copyOf(buffer.toArray(ValueLayout.JAVA_BYTE), (int) done);
        }
    }

    @Override
    public void close() {
        FileCalls.close("a file in memory", fd);
    }
}
