package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Debian's registry beside the control plane of a cluster, with images of Debian's packages, which stands for those of
/// the Internet.
final class ImageRegistry implements AutoCloseable {
    private static final String ADDRESS = "10.210.0.1";
    private static final int PORT = 5000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final NetworkNamespace place;
    private final Process process;

    private ImageRegistry(Path folder, NetworkNamespace place, Process process) {
        this.folder = folder;
        this.place = place;
        this.process = process;
    }

    /// The file that sends nodes here for every image without a host in its name.
    static Path configuration(Path folder) throws IOException {
        return Files.writeString(folder.resolve("registries.conf"), """
            [[registry]]
            prefix = "docker.io"
            location = "%s:%d"
            insecure = true
            """.formatted(ADDRESS, PORT));
    }

    static ImageRegistry start(Path folder, NetworkNamespace place) throws Exception {
        Path config = Files.writeString(
                folder.resolve("registry.yml"), """
                    version: 0.1
                    storage: {filesystem: {rootdirectory: %s}}
                    http: {addr: "%s:%d"}
                    """.formatted(folder.resolve("registry"), ADDRESS, PORT));
        Process process = place.start(new ProcessBuilder("docker-registry", "serve", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("registry.log").toFile()));
        ImageRegistry registry = new ImageRegistry(folder, place, process);
        try {
            await().atMost(PATIENCE).until(registry::listens);
            return registry;
        } catch (Throwable e) {
            registry.close();
            throw e;
        }
    }

    /// busybox and nginx, each an OCI layout in the folder.
    void makeImages() throws Exception {
        try (InputStream script = ImageRegistry.class.getResourceAsStream("images.sh")) {
            Files.copy(java.util.Objects.requireNonNull(script), folder.resolve("images.sh"));
        }
        run("sh", folder.resolve("images.sh").toString(), folder.toString());
    }

    void push(String layout, String name) throws Exception {
        run(
                "skopeo",
                "--insecure-policy",
                "copy",
                "--quiet",
                "--dest-tls-verify=false",
                "oci:%s:latest".formatted(folder.resolve(layout)),
                "docker://%s:%d/%s".formatted(ADDRESS, PORT, name));
    }

    private void run(String... words) throws Exception {
        Path output = Files.createTempFile(folder, "run", ".log");
        Process done =
                place.start(new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile()));
        try {
            assertThat(done.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as(List.of(words) + " ends")
                    .isTrue();
            assertThat(done.exitValue()).as(Files.readString(output)).isZero();
        } finally {
            done.destroyForcibly();
        }
    }

    private boolean listens() {
        return place.call(() -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(ADDRESS, PORT), 1_000);
                return true;
            } catch (IOException e) {
                return false; // not yet
            }
        });
    }

    /// What a server answers to a client in a namespace, with its headers.
    static String get(NetworkNamespace from, String ip, String path) throws IOException {
        return from.call(() -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(ip, 80), 5_000);
                socket.setSoTimeout(10_000);
                socket.getOutputStream()
                        .write("GET %s HTTP/1.0\r\n\r\n".formatted(path).getBytes(StandardCharsets.US_ASCII));
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
        });
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
