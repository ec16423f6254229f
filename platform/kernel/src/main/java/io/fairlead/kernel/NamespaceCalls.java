package io.fairlead.kernel;

import java.lang.foreign.MemorySegment;

/// Namespaces of the calling thread, and mounts in them (setns(2), unshare(2), mount(2)).
///
/// How a failure is reported, and when to take which, is said in [Libc].
final class NamespaceCalls {
    private NamespaceCalls() {}

    static void setns(String subject, int fd, int kind) {
        Libc.SETNS.check(subject, fd, kind);
    }

    static void unshare(String subject, int kinds) {
        Libc.UNSHARE.check(subject, kinds);
    }

    static void mount(
            String subject,
            MemorySegment source,
            MemorySegment target,
            MemorySegment type,
            long flags,
            MemorySegment options) {
        Libc.MOUNT.check(subject, source.address(), target.address(), type.address(), flags, options.address());
    }

    static void umount2(String subject, MemorySegment target, int flags) {
        Libc.UMOUNT2.check(subject, target.address(), flags);
    }

    static int tryUmount2(MemorySegment target, int flags) {
        return (int) Libc.UMOUNT2.attempt(target.address(), flags);
    }
}
