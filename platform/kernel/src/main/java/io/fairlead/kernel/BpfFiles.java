package io.fairlead.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// The BPF file system, where maps and links get names and so outlive the process that made them.
public final class BpfFiles {
    private static final String TYPE = "bpf";
    private static final int MNT_DETACH = 2;

    private BpfFiles() {}

    /// Mounts one at `folder`, which is made if it is missing; nothing happens where one is.
    public static void mount(Path folder) {
        if (isMounted(folder)) {
            return;
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be made".formatted(folder), e);
        }
        Mounts.kernelFiles(TYPE, folder);
    }

    /// Mounts one at `folder` unless `file` is inside one already.
    public static void mountAbove(Path file, Path folder) {
        boolean inside =
                Mounted.all().anyMatch(mounted -> mounted.type().equals(TYPE) && file.startsWith(mounted.at()));
        if (!inside) {
            mount(folder);
        }
    }

    public static boolean isMounted(Path folder) {
        return Mounted.all()
                .anyMatch(mounted -> mounted.type().equals(TYPE) && mounted.at().equals(folder));
    }

    /// Takes it away with all that is pinned there.
    public static void unmount(Path folder) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(folder.toString());
            NamespaceCalls.umount2(folder.toString(), path, MNT_DETACH);
        }
    }
}
