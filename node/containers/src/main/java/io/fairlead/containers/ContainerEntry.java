package io.fairlead.containers;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The way into a container that runs: its files, its name, its network and its variables.
public final class ContainerEntry {
    private ContainerEntry() {}

    /// The words that run a command inside, by the number of the container's process.
    public static List<String> words(long pid, List<String> command) {
        List<String> words = new ArrayList<>(
                List.of("/usr/bin/nsenter", "--target", Long.toString(pid), "--mount", "--uts", "--net", "--"));
        words.addAll(command);
        return words;
    }

    /// The variables that the container was started with.
    public static Map<String, String> environment(long pid) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>();
        try (InputStream file = new FileInputStream("/proc/" + pid + "/environ")) {
            for (String variable : new String(file.readAllBytes(), StandardCharsets.UTF_8).split("\0", -1)) {
                int equals = variable.indexOf('=');
                if (equals > 0) {
                    environment.put(variable.substring(0, equals), variable.substring(equals + 1));
                }
            }
        }
        return environment;
    }

    /// True if a command inside ends with 0 in time; one that takes longer is killed.
    static boolean succeeds(long pid, List<String> command, Duration patience)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(words(pid, command))
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(environment(pid));
        Process process = builder.start();
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
        } finally {
            process.destroyForcibly();
        }
    }
}
