package io.fairlead.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A child process that runs to its end in the network namespace of the calling thread.
///
/// Not by [ProcessBuilder]: it makes a thread that waits for the child, in the caller's namespace, and keeps it for
/// others later; so a namespace would live on after all its owners, and children might land in the wrong one. Input and
/// output are files in memory, so neither parent nor child waits for the other.
public final class Command {
    /// Larger than posix_spawn_file_actions_t of any C library.
    private static final int FILE_ACTIONS = 512;

    private static final int SIGNALLED = 128;

    private Command() {}

    /// How a child ended, and what it wrote; `status` gives a signal as the shell does, as 128 and its number.
    public record Result(int status, String output, String errors) {
        public boolean succeeded() {
            return status == 0;
        }
    }

    /// Runs a program of the PATH; throws [KernelException] if there is none of that name.
    public static Result run(List<String> words, String input) {
        try (MemoryFile in = new MemoryFile("stdin");
                MemoryFile out = new MemoryFile("stdout");
                MemoryFile errors = new MemoryFile("stderr")) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
            int status = await(spawn(words, List.of(in, out, errors)), words);
            return new Result(status, text(out), text(errors));
        }
    }

    private static String text(MemoryFile file) {
        return new String(file.read(), StandardCharsets.UTF_8);
    }

    private static int spawn(List<String> words, List<MemoryFile> files) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment actions = arena.allocate(FILE_ACTIONS, 16);
            ProcessCalls.fileActionsInit(words.getFirst(), actions);
            try {
                for (int i = 0; i < files.size(); i++) {
                    int from = files.get(i).fd();
                    int to = i;
                    ProcessCalls.fileActionsAdddup2(words.getFirst(), actions, from, to);
                }
                return spawn(words, actions, arena);
            } finally {
                ProcessCalls.fileActionsDestroy(words.getFirst(), actions);
            }
        }
    }

    private static int spawn(List<String> words, MemorySegment actions, Arena arena) {
        MemorySegment pid = arena.allocate(JAVA_INT);
        MemorySegment program = arena.allocateFrom(words.getFirst());
        MemorySegment arguments = strings(words, arena);
        MemorySegment environment = strings(
                System.getenv().entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList(),
                arena);
        ProcessCalls.posixSpawnp(words.getFirst(), pid, program, actions, arguments, environment);
        return pid.get(JAVA_INT, 0);
    }

    private static int await(int pid, List<String> words) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(JAVA_INT);
            ProcessCalls.waitpid(words.getFirst(), pid, status, 0);
            int word = status.get(JAVA_INT, 0);
            int signal = word & 0x7f;
            return signal == 0 ? word >> 8 & 0xff : SIGNALLED + signal;
        }
    }

    /// An array of texts as C has it: pointers, and a null at the end.
    static MemorySegment strings(List<String> texts, Arena arena) {
        MemorySegment array = arena.allocate(ADDRESS, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ADDRESS, i, arena.allocateFrom(texts.get(i)));
        }
        array.setAtIndex(ADDRESS, texts.size(), MemorySegment.NULL);
        return array;
    }
}
