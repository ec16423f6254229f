package io.fairlead.containers;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A command that the node itself runs inside a container.
record ContainerEntry(RuntimeContainer container) {
    /// True if it ends with 0 in time; one that takes longer is killed.
    boolean succeeds(List<String> command, Duration patience) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(container.enter(command, false))
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
