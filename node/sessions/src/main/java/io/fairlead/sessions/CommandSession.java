package io.fairlead.sessions;

import io.fairlead.runtime.TaskGroup;
import io.fairlead.streams.CommandStreams;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `exec`: a command of the client's in the namespaces of a container, with the environment of its program.
final class CommandSession {
    private final Path terminal;
    private final Pods.Container container;

    CommandSession(Path terminal, Pods.Container container) {
        this.terminal = terminal;
        this.container = container;
    }

    /// Runs until the command has ended and the client knows; ends the command if the client leaves.
    void run(List<String> command, boolean tty, CommandStreams streams) throws IOException, InterruptedException {
        Process process = builder(command, tty).start();
        try (TaskGroup input = new TaskGroup("exec-input");
                TaskGroup output = new TaskGroup("exec-output")) {
            new Input(streams.stdin(), streams.sizes(), new Terminal.Frames(process.getOutputStream())).start(input);
            input.run("client", () -> {
                streams.client().awaitEnd();
                end(process);
            });
            output.run("stderr", () -> Copy.all(process.getErrorStream(), streams.stderr()));
            Copy.all(process.getInputStream(), streams.stdout());
            int code = process.waitFor();
            output.join();
            streams.finish(Outcomes.exit(code));
        } finally {
            end(process);
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private ProcessBuilder builder(List<String> command, boolean tty) {
        List<String> whole = new ArrayList<>(Terminal.command(terminal, tty));
        String id = Long.toString(container.process());
        whole.addAll(List.of("/usr/bin/nsenter", "--target", id, "--net", "--mount", "--uts", "--root", "--wd", "--"));
        whole.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(whole);
        builder.environment().clear();
        builder.environment().putAll(environment());
        if (tty) {
            builder.environment().putIfAbsent("TERM", "xterm");
        }
        return builder;
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String pair : environmentText().split("\0", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                environment.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return environment;
    }

    private String environmentText() {
        try {
            return Files.readString(
                    Path.of("/proc", Long.toString(container.process()), "environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw SessionException.badRequest(
                    "container not found (\"%s\"): it just ended".formatted(container.name()));
        }
    }
}
