package io.fairlead.up;

import io.fairlead.kernel.Cgroups;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.lab.LabException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A program of the cluster: one process inside one namespace, with a log.
///
/// @param group the control group of version 2 that it is in from its first instruction; empty for ours
record Child(String name, String namespace, List<String> command, Path log, String group) {
    private static final int TAIL_LINES = 20;
    private static final int TAIL_BYTES = 16 << 10;

    Child {
        // In a session of its own: Ctrl-C in the terminal is for `up` alone, which then ends its children in order.
        command = Stream.concat(Stream.of("setsid"), command.stream()).toList();
    }

    Child(String name, String namespace, List<String> command, Path log) {
        this(name, namespace, command, log, "");
    }

    /// The same in a control group.
    Child in(String group) {
        return new Child(name, namespace, command.subList(1, command.size()), log, group);
    }

    Process start() {
        NetworkNamespace inside = NetworkNamespace.find(namespace)
                .orElseThrow(() -> new LabException("network namespace %s is gone".formatted(namespace)));
        return inside.start(new ProcessBuilder(placed())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())));
    }

    /// The command behind a shell that joins the group and becomes the program.
    private List<String> placed() {
        return (group.isEmpty() ? Optional.<Path>empty() : Cgroups.processes(group))
                .map(file -> Stream.concat(
                                Stream.of("sh", "-c", "echo $$ > \"$0\" && exec \"$@\"", file.toString()),
                                command.stream())
                        .toList())
                .orElse(command);
    }

    /// Begins a new log: what is in it is of this cluster, and not of the one before.
    void emptyLog() {
        try (FileOutputStream _ = new FileOutputStream(log.toFile())) {
            // opening it is enough
        } catch (IOException e) {
            throw new LabException("%s cannot be written: %s".formatted(log, e.getMessage()), e);
        }
    }

    /// The last lines of its log, indented.
    String tail() {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(Math.max(0, file.length() - TAIL_BYTES));
            byte[] end = new byte[(int) (file.length() - file.getFilePointer())];
            file.readFully(end);
            List<String> lines = new String(end, StandardCharsets.UTF_8)
                    .lines()
                    .map("  "::concat)
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "  (%s cannot be read)".formatted(log);
        }
    }
}
