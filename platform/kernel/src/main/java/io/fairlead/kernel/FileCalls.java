package io.fairlead.kernel;

import java.lang.foreign.MemorySegment;

/// Files, pipes, paths and mapped files (open(2), splice(2), openat2(2), madvise(2)), under their C names.
///
/// How a failure is reported, and when to take which, is said in [Libc].
final class FileCalls {
    private static final long OPENAT2 = 437;

    private FileCalls() {}

    static void pipe2(String subject, MemorySegment both, int flags) {
        Libc.PIPE2.check(subject, both.address(), flags);
    }

    static int quickSplice(int from, int to, long length, int flags) {
        return (int) Libc.SPLICE.quick(from, 0, to, 0, length, flags);
    }

    static int tryWrite(int fd, MemorySegment bytes, long length) {
        return (int) Libc.WRITE.attempt(fd, bytes.address(), length);
    }

    static int quickWrite(int fd, MemorySegment bytes, long from, long length) {
        return (int) Libc.WRITE.quick(fd, bytes.address() + from, length, 0, 0, 0);
    }

    static void close(String subject, int fd) {
        Libc.CLOSE.check(subject, fd);
    }

    static int quickClose(int fd) {
        return (int) Libc.CLOSE.quick(fd, 0, 0, 0, 0, 0);
    }

    static int open(String subject, MemorySegment path, int flags) {
        return (int) Libc.OPEN.check(subject, path.address(), flags);
    }

    static void flock(String subject, int fd, int operation) {
        Libc.FLOCK.check(subject, fd, operation);
    }

    static int memfdCreate(String subject, MemorySegment name, int flags) {
        return (int) Libc.MEMFD_CREATE.check(subject, name.address(), flags);
    }

    static long pwrite(String subject, int fd, MemorySegment bytes, long length, long offset) {
        return Libc.PWRITE.check(subject, fd, bytes.address(), length, offset);
    }

    static long pread(String subject, int fd, MemorySegment buffer, long length, long offset) {
        return Libc.PREAD.check(subject, fd, buffer.address(), length, offset);
    }

    static long lseek(String subject, int fd, long offset, int whence) {
        return Libc.LSEEK.check(subject, fd, offset, whence);
    }

    static void fallocate(String subject, int fd, int mode, long offset, long length) {
        Libc.FALLOCATE.check(subject, fd, mode, offset, length);
    }

    static void mkdirat(String subject, int folder, MemorySegment path, int mode) {
        Libc.MKDIRAT.check(subject, folder, path.address(), mode);
    }

    /// `how` is a struct open_how.
    static int openat2(String subject, int folder, MemorySegment path, MemorySegment how) {
        return (int) Libc.SYSCALL.check(subject, OPENAT2, folder, path.address(), how.address(), how.byteSize());
    }

    static void madvise(String subject, MemorySegment start, long length, int advice) {
        Libc.MADVISE.check(subject, start.address(), length, advice);
    }
}
