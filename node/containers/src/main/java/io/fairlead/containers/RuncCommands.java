package io.fairlead.containers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The command lines of runc, and how they are run.
///
/// `root` is where runc keeps its own state.
record RuncCommands(Path program, Path root) {
    private static final int PATIENCE_SECONDS = 60;

    /// How a command ended, and what it printed.
    record Result(int code, String output) {
        boolean succeeded() {
            return code == 0;
        }
    }

    /// Where this machine has it.
    static RuncCommands ofMachine(Path root) {
        return Stream.of("/usr/sbin/runc", "/usr/bin/runc", "/usr/local/sbin/runc", "/usr/local/bin/runc")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .map(found -> new RuncCommands(found, root))
                .orElseGet(() -> new RuncCommands(Path.of("/usr/sbin/runc"), root));
    }

    /// The third word of `runc version 1.1.5`.
    String version() throws InterruptedException {
        String[] words = run(List.of(program.toString(), "--version")).output().split("\\s+", 4);
        return words.length > 2 ? words[2] : "unknown";
    }

    List<String> words(Path log, List<String> command) {
        List<String> words = new ArrayList<>(List.of(
                program.toString(), "--root", root.toString(), "--log", log.toString(), "--log-format", "json"));
        words.addAll(command);
        return words;
    }

    /// Runs a command line to its end, with nothing on its input.
    static Result run(List<String> words) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(words)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .start();
            try (InputStream output = process.getInputStream()) {
                String text = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new NodeException("%s does not end".formatted(words.getFirst()));
                }
                return new Result(process.exitValue(), text);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new NodeException("cannot run %s: %s".formatted(words.getFirst(), e.getMessage()), e);
        }
    }
}
