package io.fairlead.sessions;

import io.fairlead.runtime.TaskGroup;
import io.fairlead.streams.CommandStreams;
import java.io.IOException;
import java.util.List;

/// `exec`: a command of the client's inside a container, as its runtime starts it.
final class CommandSession {
    private final Pods.Container container;

    CommandSession(Pods.Container container) {
        this.container = container;
    }

    /// Runs until the command has ended and the client knows; ends the command if the client leaves.
    void run(List<String> command, boolean tty, CommandStreams streams) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(container.entry().words(command, tty)).start();
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
}
