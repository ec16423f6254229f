package io.fairlead.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Optional;

/// A file or folder below a folder that others may change meanwhile: opened so that no link leads out of it.
///
/// By openat2(2) with RESOLVE_BENEATH. As long as it is open, [#path] is that very file, whatever happens to its name.
public final class BeneathPath implements AutoCloseable {
    private static final long O_PATH = 0x200000;
    private static final long O_CLOEXEC = 0x80000;
    private static final long RESOLVE_NO_MAGICLINKS = 2;
    private static final long RESOLVE_BENEATH = 8;
    private static final long BELOW = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    private static final int AT_FDCWD = -100;
    private static final long HOW_SIZE = 24;
    private static final int FOLDER_MODE = 0755;

    private final int fd;

    private BeneathPath(int fd) {
        this.fd = fd;
    }

    /// Opens `relative` below `folder`; folders that are missing are made. A [KernelException] with EXDEV says that it
    /// leads out.
    public static BeneathPath open(Path folder, Path relative) {
        int root = openAt(AT_FDCWD, folder.toString(), RESOLVE_NO_MAGICLINKS);
        try {
            Path way = relative.normalize();
            int last = openAt(root, ".", BELOW);
            for (int i = 0; i < way.getNameCount() && !way.toString().isEmpty(); i++) {
                last = step(root, last, way.subpath(0, i + 1));
            }
            return new BeneathPath(last);
        } finally {
            close(root);
        }
    }

    /// Opens `relative` below `folder` if it is there.
    public static Optional<BeneathPath> find(Path folder, Path relative) {
        int root = openAt(AT_FDCWD, folder.toString(), RESOLVE_NO_MAGICLINKS);
        try {
            return Optional.of(new BeneathPath(openAt(root, relative.toString(), BELOW)));
        } catch (KernelException e) {
            if (e.is(Errno.ENOENT) || e.is(Errno.EXDEV)) {
                return Optional.empty();
            }
            throw e;
        } finally {
            close(root);
        }
    }

    /// One part further: links on the way are followed from the root, as long as they stay below it.
    private static int step(int root, int parent, Path way) {
        try {
            try {
                return openAt(root, way.toString(), BELOW);
            } catch (KernelException e) {
                if (!e.is(Errno.ENOENT)) {
                    throw e;
                }
                make(parent, way.getFileName().toString());
                return openAt(root, way.toString(), BELOW);
            }
        } finally {
            close(parent);
        }
    }

    private static void make(int parent, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            FileCalls.mkdirat(name, parent, text, FOLDER_MODE);
        }
    }

    /// A name for it that only this process has.
    public Path path() {
        return Path.of("/proc/self/fd/" + fd);
    }

    @Override
    public void close() {
        close(fd);
    }

    private static int openAt(int folder, String path, long resolve) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(path);
            MemorySegment how = arena.allocate(HOW_SIZE, 8); // struct open_how: flags, mode, resolve
            how.set(ValueLayout.JAVA_LONG, 0, O_PATH | O_CLOEXEC);
            how.set(ValueLayout.JAVA_LONG, 16, resolve);
            return FileCalls.openat2(path, folder, text, how);
        }
    }

    private static void close(int fd) {
        FileCalls.close("a path", fd);
    }
}
