package io.fairlead.kernel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/// The mounts of this process's own mount namespace.
public final class Mounts {
    private static final long MS_NOSUID = 2;
    private static final long MS_NODEV = 4;
    private static final long MS_BIND = 4096;
    private static final long MS_REC = 16384;
    private static final int MNT_DETACH = 2;

    private Mounts() {}

    /// Folders one above the other, the first one on top; what is written goes to `upper`, and `work` is the kernel's.
    /// Without an `upper` there must be two layers at least.
    ///
    /// What is written is not made durable at its end (`volatile`), where the kernel can leave that out: no overlay
    /// here outlives its first use, and the end of a program need not wait for the disk.
    public static void overlay(List<Path> layers, Path upper, Path work, Path at) {
        String lower = layers.stream().map(Mounts::escaped).collect(Collectors.joining(":"));
        String options = "lowerdir=%s,upperdir=%s,workdir=%s".formatted(lower, escaped(upper), escaped(work));
        try {
            mount("overlay", at, "overlay", 0, options + ",volatile");
        } catch (KernelException e) { // before Linux 5.10
            mount("overlay", at, "overlay", 0, options);
        }
    }

    /// A folder in memory of at most `bytes` (0: half of the machine's).
    public static void memory(Path at, long bytes, String mode) {
        String size = bytes > 0 ? ",size=" + bytes : "";
        mount("tmpfs", at, "tmpfs", MS_NOSUID | MS_NODEV, "mode=" + mode + size);
    }

    /// A file system that the kernel makes by itself, such as `bpf`.
    static void kernelFiles(String type, Path at) {
        mount(type, at, type, 0, "");
    }

    /// A file or folder at a second place, with what is mounted below it.
    public static void bind(Path source, Path at) {
        mount(source.toString(), at, "none", MS_BIND | MS_REC, "");
    }

    /// Takes away what is mounted at a place; those who use it keep it. Nothing happens where there is nothing.
    public static void detach(Path at) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment place = arena.allocateFrom(at.toString());
            long result = NamespaceCalls.tryUmount2(place, MNT_DETACH);
            if (result < 0 && result != -Errno.EINVAL && result != -Errno.ENOENT) {
                throw new KernelException("umount2", (int) -result, at.toString());
            }
        }
    }

    /// The places at or below `folder` where something is mounted, the deepest ones first.
    public static List<Path> below(Path folder) {
        try {
            return Files.readString(Path.of("/proc/self/mountinfo"))
                    .lines()
                    .map(line -> Path.of(line.split(" ", -1)[4].replace("\\040", " ")))
                    .filter(place -> place.startsWith(folder))
                    .sorted((a, b) -> b.getNameCount() - a.getNameCount())
                    .toList();
        } catch (IOException e) {
            throw new KernelException("read", Errno.EIO, "/proc/self/mountinfo");
        }
    }

    /// In a list of layers a colon and a comma part them.
    private static String escaped(Path path) {
        return path.toString().replace("\\", "\\\\").replace(":", "\\:").replace(",", "\\,");
    }

    private static void mount(String source, Path at, String type, long flags, String options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocateFrom(source);
            MemorySegment to = arena.allocateFrom(at.toString());
            MemorySegment kind = arena.allocateFrom(type);
            MemorySegment words = arena.allocateFrom(options);
            NamespaceCalls.mount(at.toString(), from, to, kind, flags, words);
        }
    }
}
