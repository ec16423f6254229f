package io.fairlead.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A control group of version 2: a folder that holds processes, and to which programs are attached that see them.
///
/// The hierarchy of version 2 is there also where version 1 has the controllers; then it is mounted beside.
public final class ControlGroup {
    private static final String TYPE = "cgroup2";
    private static final String PROCESSES = "cgroup.procs";
    private static final String THREADS = "cgroup.threads";
    private static final String VERSION_2 = "0::";
    private static final Path USUAL_ROOT = Path.of("/sys/fs/cgroup");
    private static final int O_RDONLY_DIRECTORY_CLOEXEC = 0x90000;

    private final Path path;

    private ControlGroup(Path path) {
        this.path = path;
    }

    /// The root of version 2, where it is mounted.
    public static Optional<ControlGroup> findRoot() {
        return Mounted.all()
                .filter(mounted -> mounted.type().equals(TYPE))
                .map(mounted -> new ControlGroup(mounted.at()))
                .findFirst();
    }

    /// The group of that path; made where it is missing, with those above it.
    public static ControlGroup open(Path path) {
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new UncheckedIOException("the control group %s cannot be made".formatted(path), e);
        }
        if (!Files.exists(path.resolve(PROCESSES))) {
            throw new IllegalArgumentException(path + " is no control group");
        }
        return new ControlGroup(path);
    }

    /// The group of this process; nothing where version 2 is not mounted.
    public static Optional<ControlGroup> findOwn() {
        return findRoot()
                .flatMap(root -> pathOf(ProcessHandle.current().pid())
                        .map(own -> new ControlGroup(root.path.resolve(own.substring(1)))));
    }

    /// The group of a process as a path below the root, such as `/fairlead/node-1`; nothing if the process is gone.
    public static Optional<String> pathOf(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/%d/cgroup".formatted(pid))).stream()
                    .filter(line -> line.startsWith(VERSION_2))
                    .map(line -> line.substring(VERSION_2.length()))
                    .findFirst();
        } catch (IOException _) {
            return Optional.empty(); // the process ended meanwhile
        }
    }

    /// Whether version 1 has the controllers and this hierarchy stands beside it: a container runtime may then place
    /// nothing here.
    public static boolean isBeside() {
        return findRoot().filter(root -> !root.path.equals(USUAL_ROOT)).isPresent();
    }

    /// A group below this one; made where it is missing.
    public ControlGroup below(String name) {
        return open(path.resolve(name));
    }

    public Path path() {
        return path;
    }

    /// Moves a process here, with all its threads; what it starts from then on is here too.
    public void add(long pid) {
        try {
            Files.writeString(path.resolve(PROCESSES), Long.toString(pid));
        } catch (IOException e) {
            throw new UncheckedIOException("process %d cannot be moved to %s".formatted(pid, path), e);
        }
    }

    /// Lets this group hold single threads of the processes of the group above it, which is from then on theirs as a
    /// whole.
    public void holdThreads() {
        write("cgroup.type", "threaded");
    }

    /// Moves the calling platform thread here, away from the rest of its process; what it opens from then on is of this
    /// group. The group must [hold threads][#holdThreads], and its process be in the group above it.
    public void addThisThread() {
        try {
            write(
                    THREADS,
                    Path.of("/proc/thread-self").toRealPath().getFileName().toString());
        } catch (IOException e) {
            throw new UncheckedIOException("this thread has no number", e);
        }
    }

    private void write(String file, String text) {
        try {
            Files.writeString(path.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be written to %s of %s".formatted(text, file, path), e);
        }
    }

    /// The processes of this group itself.
    public List<Long> processes() {
        try {
            return Files.readAllLines(path.resolve(PROCESSES)).stream()
                    .map(Long::valueOf)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the processes of " + path, e);
        }
    }

    /// The number by which the kernel tells groups apart.
    public long id() {
        try {
            return (long) Files.getAttribute(path, "unix:ino");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look at " + path, e);
        }
    }

    /// Whether it is still there.
    public boolean exists() {
        return Files.exists(path.resolve(PROCESSES));
    }

    /// Removes it; it must be empty.
    public void delete() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException("the control group %s cannot be removed".formatted(path), e);
        }
    }

    /// A descriptor of its folder; the caller closes it.
    int open() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(path.toString());
            return FileCalls.open(path.toString(), text, O_RDONLY_DIRECTORY_CLOEXEC);
        }
    }
}
