package io.fairlead.lab;

import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A program of the cluster: one process inside one namespace, with a log.
record Child(String name, String namespace, List<String> command, Path log) {
    private static final int TAIL_LINES = 20;

    Child {
        // In a session of its own: Ctrl-C in the terminal is for `up` alone, which then ends its children in order.
        command = Stream.concat(Stream.of("setsid"), command.stream()).toList();
    }

    Process start() {
        NetworkNamespace inside = NetworkNamespace.find(namespace)
                .orElseThrow(() -> new LabException("network namespace %s is gone".formatted(namespace)));
        return inside.start(new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())));
    }

    /// The last lines of its log, indented.
    String tail() {
        try {
            List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return String.join(
                    "\n",
                    lines.stream()
                            .skip(Math.max(0, lines.size() - TAIL_LINES))
                            .map("  "::concat)
                            .toList());
        } catch (IOException e) {
            return "  (%s cannot be read)".formatted(log);
        }
    }
}
