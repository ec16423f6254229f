package io.fairlead.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// The space that files take on disk.
public final class FileSpace {
    private static final int O_RDWR_CLOEXEC = 0x80002;
    private static final int KEEP_SIZE_PUNCH_HOLE = 3;
    /// A file system gives back whole blocks, and each call costs as much as a write.
    private static final long STEP = 1 << 20;

    private FileSpace() {}

    /// Gives back the space of the first `length` bytes, a mebibyte at a time: they read as zeros from then on, and all
    /// others stay where they are, while a writer goes on appending. A file system that cannot do it keeps them.
    public static void release(Path file, long length) {
        long whole = length / STEP * STEP;
        if (length - whole > STEP / 8 || whole == 0) {
            return; // the call that just passed the border did it
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(file.toString());
            int fd = FileCalls.open(file.toString(), path, O_RDWR_CLOEXEC);
            try {
                FileCalls.fallocate(file.toString(), fd, KEEP_SIZE_PUNCH_HOLE, 0L, whole);
            } catch (KernelException e) {
                if (!e.is(Errno.EOPNOTSUPP)) {
                    throw e;
                }
            } finally {
                FileCalls.close(file.toString(), fd);
            }
        }
    }
}
