package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Debian's registry on loopback, and images for it of Debian's busybox.
final class TestRegistry implements AutoCloseable {
    static final String USER = "reader";
    static final String PASSWORD = "open-sesame";

    private final Path folder;
    private final int port;
    private final Process process;

    private TestRegistry(Path folder, int port, Process process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    static TestRegistry start(Path folder, boolean closed) throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path config = Files.writeString(folder.resolve("registry-%d.yml".formatted(port)), """
            version: 0.1
            storage: {filesystem: {rootdirectory: %s}}
            http: {addr: "127.0.0.1:%d"}
            %s
            """.formatted(
                        folder.resolve("registry-" + port), port, closed ? auth(folder) : ""));
        Process process = new ProcessBuilder("docker-registry", "serve", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        TestRegistry registry = new TestRegistry(folder, port, process);
        await().atMost(Duration.ofSeconds(30)).until(registry::listens);
        return registry;
    }

    private static String auth(Path folder) throws IOException, InterruptedException {
        String hash = sh("perl -e 'print crypt(q(%s), q($2y$05$abcdefghijklmnopqrstuu))'".formatted(PASSWORD));
        Path file = Files.writeString(folder.resolve("htpasswd"), USER + ":" + hash + "\n");
        return "auth: {htpasswd: {realm: tests, path: %s}}".formatted(file);
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    /// Busybox as an image of a layout in the folder, with a variable that tells it from others.
    static void make(Path folder, String tag, String architecture) throws InterruptedException {
        String image = folder.resolve("box") + ":" + tag;
        if (!Files.exists(folder.resolve("box"))) {
            sh("umoci init --layout " + folder.resolve("box"));
        }
        sh("umoci new --image " + image);
        sh("umoci insert --image %s /bin/busybox /bin/busybox".formatted(image));
        sh("umoci config --image %s --architecture %s --config.env WHICH=%s".formatted(image, architecture, tag));
    }

    void push(String tag, String name) throws InterruptedException {
        sh("skopeo --insecure-policy copy -q --all --dest-tls-verify=false --dest-creds %s:%s oci:%s:%s docker://%s/%s"
                .formatted(USER, PASSWORD, folder.resolve("box"), tag, address(), name));
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false; // not yet
        }
    }

    static String sh(String line) throws InterruptedException {
        RuncCommands.Result result = RuncCommands.run(List.of("sh", "-c", line));
        assertThat(result.code()).as(line + ": " + result.output()).isZero();
        return result.output();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
