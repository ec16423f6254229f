package io.fairlead.conformance;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/// `fairlead server` as a user starts it, in a folder of its own; it can be stopped, killed and started again.
public final class ServerRun implements AutoCloseable {
    private static final Path ROOT = Path.of(System.getProperty("fairlead.root"));

    private final Path folder;
    private final int port;
    private final List<String> options;
    private String javaOptions = "";
    private Process process;
    private @Nullable KubernetesClient client;

    private ServerRun(Path folder, int port, List<String> options) throws IOException {
        this.folder = folder;
        this.port = port;
        this.options = options;
        this.process = launch();
    }

    public static ServerRun start(Path folder, String... options) throws IOException {
        ServerRun run = new ServerRun(folder, freePort(), List.of(options));
        boolean ready = false;
        try {
            run.awaitReady();
            ready = true;
            return run;
        } finally {
            if (!ready) {
                run.process.destroyForcibly();
            }
        }
    }

    public Path folder() {
        return folder;
    }

    public Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    public int port() {
        return port;
    }

    /// The program as it runs now.
    public Process process() {
        return process;
    }

    /// The client of fabric8, for the administrator.
    KubernetesClient client() {
        if (client == null) {
            client = new KubernetesClientBuilder()
                    .withConfig(Config.fromKubeconfig(kubeconfig().toFile()))
                    .build();
        }
        return client;
    }

    /// `kill -9`, then the same command again.
    void crash() throws IOException, InterruptedException {
        kill();
        startAgain();
    }

    /// The same command again after its end, with these options for the JVM.
    public void startAgain(String options) throws IOException {
        javaOptions = options;
        startAgain();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    public void startAgain() throws IOException {
        process = launch();
        awaitReady();
    }

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ROOT.resolve("fairlead").toString(),
                "server",
                "--dir",
                folder.toString(),
                "--bind",
                "127.0.0.1:" + port));
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        // What Maven has just assembled is what is tested; it must not be built again from here.
        builder.environment().put("FAIRLEAD_BUILT", "assembled");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        if (!javaOptions.isEmpty()) {
            builder.environment().put("FAIRLEAD_JAVA_OPTS", javaOptions);
        }
        return builder.start();
    }

    public Path log() {
        return folder.resolve("server.log");
    }

    private void awaitReady() {
        Awaitility.await("the server at port " + port)
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    if (!process.isAlive()) {
                        throw new AssertionError("the server ended:\n" + Files.readString(log()));
                    }
                    return Kubectl.at(kubeconfig())
                                    .run("get", "--raw", "/readyz")
                                    .exit()
                            == 0;
                });
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        if (client != null) {
            client.close();
        }
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the server does not end:\n" + Files.readString(log()));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
