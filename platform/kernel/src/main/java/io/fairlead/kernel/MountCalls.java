package io.fairlead.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// The mount(2) calls, on the calling thread's own mount namespace.
final class MountCalls {
    private static final long MS_RDONLY = 1;
    private static final long MS_NOSUID = 2;
    private static final long MS_REMOUNT = 32;
    private static final long MS_BIND = 4096;
    private static final long MS_REC = 16384;
    private static final long MS_PRIVATE = 1 << 18;

    private MountCalls() {}

    /// Nothing that is mounted here shows anywhere else from now on.
    static void keepPrivate() {
        mount("none", "/", "none", MS_REC | MS_PRIVATE);
    }

    static void memory(Path at) {
        mount("tmpfs", at.toString(), "tmpfs", MS_NOSUID);
    }

    static void bind(Mount.Bind bind, Path at) {
        mount(bind.source().toString(), at.toString(), "none", MS_BIND | (bind.whole() ? MS_REC : 0));
        if (bind.readOnly()) { // the kernel takes it only as a second step
            mount("none", at.toString(), "none", MS_BIND | MS_REMOUNT | MS_RDONLY);
        }
    }

    static void mount(String source, String target, String type, long flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocateFrom(source);
            MemorySegment to = arena.allocateFrom(target);
            MemorySegment kind = arena.allocateFrom(type);
            Libc.MOUNT.check(target, from.address(), to.address(), kind.address(), flags, 0);
        }
    }
}
