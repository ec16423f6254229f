package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A program to be started in an [Enclosure], as the leader of a session of its own, without a process in between.
///
/// `directory` is a path of its root. `streams` are the files of its input, output and errors, by paths of the machine;
/// the last two are appended to. It inherits nothing else of this process.
public record Launch(
        List<String> words, Map<String, String> environment, Path directory, List<Path> streams, Enclosure enclosure) {
    private static final int SPAWN_ATTRIBUTES = 512; // larger than posix_spawnattr_t of any C library
    private static final int FILE_ACTIONS = 512;
    /// POSIX_SPAWN_SETSIGMASK with an empty mask, because Java blocks signals; and POSIX_SPAWN_SETSID.
    private static final short OWN_SESSION = 0x08 | 0x80;
    private static final int O_RDWR_CLOEXEC = 0x80002;
    private static final int O_WRITE_APPEND_CLOEXEC = 0x80000 | 0x1 | 0x40 | 0x400;

    public Launch {
        words = List.copyOf(words);
        streams = List.copyOf(streams);
    }

    /// Starts it and gives its process id; a [KernelException] with ENOENT says that there is no such program.
    public int start() {
        return NetworkNamespace.onOwnThread("launch " + words.getFirst(), () -> {
            List<Integer> files = openStreams();
            try (Arena arena = Arena.ofConfined()) {
                enclosure.enter();
                Files.createDirectories(enclosure.outside(directory));
                MemorySegment program = arena.allocateFrom(program());
                MemorySegment actions = actions(files, arena);
                enclosure.closeRoot();
                return spawn(program, actions, arena);
            } finally {
                files.forEach(Launch::close);
            }
        });
    }

    /// The program's own PATH decides which one is meant, not ours.
    private String program() {
        String word = words.getFirst();
        if (word.contains("/")) {
            return word;
        }
        return Stream.of(environment.getOrDefault("PATH", "/usr/bin:/bin").split(":", -1))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, word))
                .filter(path -> Files.isExecutable(enclosure.outside(path)))
                .findFirst()
                .map(Path::toString)
                .orElseThrow(() -> new KernelException("find program", Errno.ENOENT, word));
    }

    private MemorySegment actions(List<Integer> files, Arena arena) {
        MemorySegment actions = arena.allocate(FILE_ACTIONS, 16);
        Libc.POSIX_SPAWN_FILE_ACTIONS_INIT.check(words.getFirst(), actions.address());
        for (int i = 0; i < files.size(); i++) {
            int from = files.get(i);
            int to = i;
            Libc.POSIX_SPAWN_FILE_ACTIONS_ADDDUP2.check(words.getFirst(), actions.address(), from, to);
        }
        MemorySegment folder = arena.allocateFrom(directory.toString());
        Libc.POSIX_SPAWN_FILE_ACTIONS_ADDCHDIR_NP.check(words.getFirst(), actions.address(), folder.address());
        int first = files.size();
        Libc.POSIX_SPAWN_FILE_ACTIONS_ADDCLOSEFROM_NP.check(words.getFirst(), actions.address(), first);
        return actions;
    }

    private int spawn(MemorySegment program, MemorySegment actions, Arena arena) {
        MemorySegment attributes = arena.allocate(SPAWN_ATTRIBUTES, 16);
        Libc.POSIX_SPAWNATTR_INIT.check(words.getFirst(), attributes.address());
        Libc.POSIX_SPAWNATTR_SETFLAGS.check(words.getFirst(), attributes.address(), OWN_SESSION);
        MemorySegment pid = arena.allocate(JAVA_INT);
        MemorySegment arguments = Command.strings(words, arena);
        MemorySegment variables = Command.strings(
                environment.entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList(),
                arena);
        Libc.POSIX_SPAWNP.check(
                words.getFirst(),
                pid.address(),
                program.address(),
                actions.address(),
                attributes.address(),
                arguments.address(),
                variables.address());
        MemorySegment done = actions;
        Libc.POSIX_SPAWN_FILE_ACTIONS_DESTROY.check(words.getFirst(), done.address());
        return pid.get(JAVA_INT, 0);
    }

    private List<Integer> openStreams() {
        List<Integer> files = new ArrayList<>();
        for (Path stream : streams) {
            // An input is opened for both ways: one that is a pipe has then an end nobody closes.
            files.add(open(stream, files.isEmpty() ? O_RDWR_CLOEXEC : O_WRITE_APPEND_CLOEXEC));
        }
        return files;
    }

    private static int open(Path file, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(file.toString());
            return (int) Libc.OPEN.check(file.toString(), path.address(), flags, 0640);
        }
    }

    private static void close(int fd) {
        Libc.CLOSE.check("a stream", fd);
    }
}
