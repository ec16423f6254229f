package io.fairlead.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A network namespace with a name, as `ip netns` knows it: a bind mount under `/run/netns`.
///
/// `setns(2)` changes the calling thread, so work inside a namespace runs on a platform thread made for it. Sockets
/// and processes that are made there belong to the namespace; so do the files below `/proc/sys/net` that it opens.
public final class NetworkNamespace {
    private static final Path FOLDER = NamespaceFolder.PATH;
    private static final int CLONE_NEWNET = 0x40000000;
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final long MS_BIND = 4096;
    private static final int MNT_DETACH = 2;

    private final String name;

    private NetworkNamespace(String name) {
        this.name = name;
    }

    /// Makes a new namespace with its loopback up; the name must be free.
    public static NetworkNamespace create(String name) {
        Path file = FOLDER.resolve(name);
        NamespaceFolder.prepare();
        try {
            Files.createFile(file);
        } catch (IOException e) {
            throw new UncheckedIOException("network namespace %s cannot be made".formatted(name), e);
        }
        NetworkNamespace made = new NetworkNamespace(name);
        try {
            onOwnThread("make " + name, () -> {
                unshareInto(file);
                try (RouteSocket route = RouteSocket.open()) {
                    route.setUp("lo");
                }
                return name;
            });
            return made;
        } catch (RuntimeException e) {
            made.delete();
            throw e;
        }
    }

    public static Optional<NetworkNamespace> find(String name) {
        return Files.exists(FOLDER.resolve(name)) ? Optional.of(new NetworkNamespace(name)) : Optional.empty();
    }

    /// Every namespace whose name starts with `prefix`, sorted by name.
    public static List<NetworkNamespace> startingWith(String prefix) {
        if (!Files.isDirectory(FOLDER)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .map(NetworkNamespace::new)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + FOLDER, e);
        }
    }

    public String name() {
        return name;
    }

    /// Runs `body` inside, on a thread of its own, and waits for it; what it throws comes out as it is.
    public <T> T call(Callable<T> body) {
        return onOwnThread("in " + name, () -> {
            enter();
            return body.call();
        });
    }

    public void run(Runnable body) {
        call(() -> {
            body.run();
            return name;
        });
    }

    /// Starts a process inside, by way of `nsenter`.
    ///
    /// Not from a thread inside: Java would make its reaper thread there, which keeps the namespace alive and goes
    /// on to serve other processes.
    public Process start(ProcessBuilder builder) {
        List<String> inside = new ArrayList<>(List.of("nsenter", "--net=" + FOLDER.resolve(name), "--"));
        inside.addAll(builder.command());
        try {
            return builder.command(inside).start();
        } catch (IOException e) {
            throw new UncheckedIOException("%s cannot be started in %s".formatted(inside, this), e);
        }
    }

    /// Moves the calling platform thread inside, for good: for a thread that does nothing else.
    public void enter() {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("a virtual thread cannot enter a network namespace");
        }
        withOpenFile(fd -> NamespaceCalls.setns(name, fd, CLONE_NEWNET));
    }

    /// Sets a value below `/proc/sys/net` inside: `sysctl("ipv4/ip_forward", "1")`.
    public void sysctl(String key, String value) {
        call(() -> Files.writeString(Path.of("/proc/sys/net", key), value));
    }

    /// Takes the name away; the namespace ends with its last process. A name that is gone already is fine.
    public void delete() {
        Path file = FOLDER.resolve(name);
        if (!Files.exists(file)) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(file.toString());
            NamespaceCalls.umount2(file.toString(), path, MNT_DETACH);
        } catch (KernelException e) {
            if (!e.is(Errno.EINVAL)) { // EINVAL: not a mount point; a leftover of a half-made namespace
                throw e;
            }
        }
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("network namespace %s cannot be removed".formatted(name), e);
        }
    }

    /// The processes that run inside, by id.
    public List<Long> processes() {
        Optional<Object> own = fileKey(FOLDER.resolve(name));
        if (own.isEmpty()) {
            return List.of();
        }
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> fileKey(Path.of("/proc/" + pid + "/ns/net")).equals(own))
                .toList();
    }

    /// Runs `body` in the namespace of a process, on a thread of its own, and waits for it. Throws [KernelException]
    /// if the process has ended.
    public static <T> T callInThatOf(long process, Callable<T> body) {
        return onOwnThread("in that of " + process, () -> {
            Path file = Path.of("/proc", Long.toString(process), "ns/net");
            withOpenFile(file, fd -> NamespaceCalls.setns(file.toString(), fd, CLONE_NEWNET));
            return body.call();
        });
    }

    /// For the calls that want an open file of the namespace.
    void withOpenFile(java.util.function.IntConsumer body) {
        withOpenFile(FOLDER.resolve(name), body);
    }

    private static void withOpenFile(Path file, java.util.function.IntConsumer body) {
        int fd;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(file.toString());
            fd = FileCalls.open(file.toString(), path, O_RDONLY_CLOEXEC);
        }
        try {
            body.accept(fd);
        } finally {
            FileCalls.close(file.toString(), fd);
        }
    }

    private static void unshareInto(Path file) {
        NamespaceCalls.unshare("CLONE_NEWNET", CLONE_NEWNET);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocateFrom("/proc/thread-self/ns/net");
            MemorySegment target = arena.allocateFrom(file.toString());
            MemorySegment none = arena.allocateFrom("none");
            NamespaceCalls.mount(file.toString(), source, target, none, MS_BIND, MemorySegment.NULL);
        }
    }

    private static Optional<Object> fileKey(Path file) {
        try {
            // The namespace's device and inode tell it from all others.
            return Optional.of(Files.getAttribute(file, "unix:ino") + "@" + Files.getAttribute(file, "unix:dev"));
        } catch (IOException e) {
            return Optional.empty(); // the process ended meanwhile
        }
    }

    /// Runs `body` on a thread made for it, which no other work sees again.
    static <T> T onOwnThread(String name, Callable<T> body) {
        Outcome<T> outcome = new Outcome<>();
        Thread thread = Thread.ofPlatform().name(name).start(() -> outcome.fill(body));
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                thread.interrupt();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return outcome.take();
    }

    /// What the thread inside gave or threw; read after it ended.
    private static final class Outcome<T> {
        private @Nullable T value;
        private @Nullable Throwable failure;

        void fill(Callable<T> body) {
            try {
                value = body.call();
            } catch (Throwable e) {
                failure = e;
            }
        }

        @SuppressWarnings("NullAway") // a body may give null if its caller wants it so
        T take() {
            switch (failure) {
                case null -> {
                    return value;
                }
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case IOException e -> throw new UncheckedIOException(e);
                case Throwable e -> throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public String toString() {
        return "network namespace " + name;
    }
}
