package io.fairlead.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// `/run/netns`, where namespaces have their names: a mount of its own, as `ip netns add` makes it.
///
/// `ip netns add` binds the folder over itself where it is none yet. Names from before are then beneath that mount:
/// they look right, but can never be removed. So the folder is made a mount before the first name is in it.
final class NamespaceFolder {
    static final Path PATH = Path.of("/run/netns");

    private static final long MS_BIND = 4096;
    private static final long MS_REC = 16384;
    private static final long MS_SHARED = 1 << 20;
    private static final int O_DIRECTORY_CLOEXEC = 0x90000;
    private static final int LOCK_EX = 2;

    private static boolean prepared;

    private NamespaceFolder() {}

    /// Makes the folder, and a mount of it, unless this process has done so before.
    static synchronized void prepare() {
        if (prepared) {
            return;
        }
        try {
            Files.createDirectories(PATH);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + PATH, e);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(PATH.toString());
            int folder = FileCalls.open(PATH.toString(), path, O_DIRECTORY_CLOEXEC);
            try {
                // `ip netns add` takes the same lock: two who bind the folder at once would bury each other's names.
                FileCalls.flock(PATH.toString(), folder, LOCK_EX);
                mount(path, arena.allocateFrom("none"));
            } finally {
                FileCalls.close(PATH.toString(), folder);
            }
        }
        prepared = true;
    }

    private static void mount(MemorySegment path, MemorySegment none) {
        try {
            share(path, none);
        } catch (KernelException e) {
            if (!e.is(Errno.EINVAL)) { // EINVAL: the folder is no mount yet
                throw e;
            }
            NamespaceCalls.mount(PATH.toString(), path, path, none, MS_BIND | MS_REC, MemorySegment.NULL);
            share(path, none);
        }
    }

    /// Names made in one mount namespace are then seen in those that were copied from it.
    private static void share(MemorySegment path, MemorySegment none) {
        NamespaceCalls.mount(PATH.toString(), none, path, none, MS_SHARED | MS_REC, MemorySegment.NULL);
    }
}
