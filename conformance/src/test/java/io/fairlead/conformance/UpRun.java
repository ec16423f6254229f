package io.fairlead.conformance;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/// `fairlead up` as a user starts it: a control plane and three nodes with pods on them.
public final class UpRun implements AutoCloseable {
    private static final Path ROOT = Path.of(System.getProperty("fairlead.root"));

    private final Path folder;
    private final Process process;

    private UpRun(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    public static UpRun start(String name) throws IOException {
        Path folder = Files.createTempDirectory(name);
        return start(folder, name, List.of());
    }

    /// With further options.
    static UpRun start(Path folder, String name, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(ROOT.resolve("fairlead").toString(), "up", "--dir", folder.toString(), "--name", name));
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("up.log").toFile());
        builder.environment().put("FAIRLEAD_BUILT", "assembled");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        UpRun run = new UpRun(folder, builder.start());
        boolean ready = false;
        try {
            run.awaitAnswer();
            ready = true;
            return run;
        } finally {
            if (!ready) {
                run.close();
            }
        }
    }

    /// The file is written when the first connection through its Service was answered.
    private void awaitAnswer() {
        Awaitility.await("up").atMost(Duration.ofMinutes(2)).until(() -> {
            if (!process.isAlive()) {
                throw new AssertionError("up ended:\n" + Files.readString(folder.resolve("up.log")));
            }
            return Files.exists(folder.resolve("up.json"));
        });
    }

    public Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    /// What runs, and where, as `up` says it.
    public Path file() {
        return folder.resolve("up.json");
    }

    KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(kubeconfig().toFile()))
                .build();
    }

    /// SIGTERM, as Ctrl-C: it removes all that it made.
    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("up does not end:\n" + Files.readString(folder.resolve("up.log")));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
