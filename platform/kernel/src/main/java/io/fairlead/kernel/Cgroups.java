package io.fairlead.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// The control groups of this machine: one tree of folders, or (version 1) one for each controller.
///
/// `path` begins with a `/` and is the same in every tree.
public final class Cgroups {
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LOOK = Duration.ofMillis(20);

    private Cgroups() {}

    /// The group of a node, below which all its pods are; `name` is the node's own on this machine. In a machine with
    /// both versions it is in the tree of version 2 too, where programs can be attached to it.
    public static String ofNode(String name) {
        return "/fairlead/" + name;
    }

    /// Where a process of the group writes its number to join it in the tree of version 2; made where it is missing.
    /// Nothing where that is the only tree, in which runtimes place processes themselves, or where there is none.
    public static Optional<Path> besides(String path) {
        return ControlGroup.isBeside() ? processes(path) : Optional.empty();
    }

    /// Where a process writes its number to join a group of version 2, which is made where it is missing.
    public static Optional<Path> processes(String path) {
        return ControlGroup.findRoot()
                .map(root -> root.below(path.substring(1)).path().resolve("cgroup.procs"));
    }

    /// True if the kernel killed a process of the group because the group was out of memory.
    public static boolean ranOutOfMemory(String path) {
        return Stream.of(
                        MOUNT.resolve("memory" + path).resolve("memory.oom_control"),
                        MOUNT.resolve(path.substring(1)).resolve("memory.events"))
                .filter(Files::exists)
                .flatMap(file -> read(file).lines())
                .anyMatch(line -> line.startsWith("oom_kill ") && !line.endsWith(" 0"));
    }

    /// Makes a group, and says how much of the processors it gets beside the groups next to it: 1024 is what a group
    /// has that says nothing.
    public static void share(String path, long shares) {
        Path weights = MOUNT.resolve("cpu" + path).resolve("cpu.shares");
        Path weight = MOUNT.resolve(path.substring(1)).resolve("cpu.weight");
        boolean first = Files.isDirectory(MOUNT.resolve("cpu"));
        try {
            Files.createDirectories(first ? weights.getParent() : weight.getParent());
            if (first) {
                Files.writeString(weights, Long.toString(shares));
            } else if (Files.exists(weight)) { // as runtimes translate the one to the other
                Files.writeString(weight, Long.toString(1 + (Math.clamp(shares, 2, 262_144) - 2) * 9999 / 262_142));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the share of " + path, e);
        }
    }

    /// Removes a group and those below it, and kills what still runs in them.
    public static void remove(String path) {
        for (Path tree : trees()) {
            Path top = tree.resolve(path.substring(1));
            if (Files.isDirectory(top)) {
                removeTree(top);
            }
        }
    }

    /// A process that was killed leaves its group a little later: until then the kernel calls the group busy.
    private static void removeTree(Path top) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                kill(top);
                removeOnce(top);
                return;
            } catch (IOException e) {
                if (System.nanoTime() > end) {
                    throw new UncheckedIOException("cannot remove the cgroup " + top, e);
                }
                LockSupport.parkNanos(LOOK.toNanos());
            }
        }
    }

    private static void kill(Path top) throws IOException {
        Path kill = top.resolve("cgroup.kill"); // version 2 has it
        if (Files.exists(kill)) {
            Files.writeString(kill, "1");
        }
    }

    private static void removeOnce(Path top) throws IOException {
        if (!Files.isDirectory(top)) {
            return;
        }
        try (Stream<Path> folders = Files.find(top, 16, (_, attributes) -> attributes.isDirectory())) {
            for (Path folder : folders.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(folder);
            }
        } catch (UncheckedIOException e) {
            throw new IOException("the groups below %s change".formatted(top), e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static List<Path> trees() {
        if (Files.exists(MOUNT.resolve("cgroup.controllers"))) {
            return List.of(MOUNT);
        }
        try (Stream<Path> controllers = Files.list(MOUNT)) {
            return controllers.filter(Files::isDirectory).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + MOUNT, e);
        }
    }
}
