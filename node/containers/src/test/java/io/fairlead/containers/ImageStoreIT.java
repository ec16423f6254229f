package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Pod;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.containers.ContainerSpec.Program;
import io.fairlead.containers.ContainerSpec.Root;
import io.fairlead.kernel.Cgroups;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Images from a real registry on loopback, made here out of the machine's own busybox.
final class ImageStoreIT {
    @TempDir
    private Path folder;

    private Process registry;
    private int port;
    private ImageStore store;
    private ApiClient api;

    @BeforeEach
    void serve() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Path config =
                Files.writeString(folder.resolve("registry.yml"), """
                    version: 0.1
                    storage: {filesystem: {rootdirectory: %s}}
                    http: {addr: "127.0.0.1:%d"}
                    """.formatted(folder.resolve("registry"), port));
        Path mirrors = Files.writeString(
                folder.resolve("registries.conf"),
                "[[registry]]\nlocation = \"127.0.0.1:%d\"\ninsecure = true\n".formatted(port));
        registry = new ProcessBuilder("docker-registry", "serve", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        await().atMost(Duration.ofSeconds(20)).until(this::listens);
        store = new ImageStore(folder.resolve("store"), List.of("--registries-conf", mirrors.toString()));
        api = new ApiClient(ClusterAccess.of(URI.create("http://127.0.0.1:1"))); // no secret is ever asked for
    }

    @AfterEach
    void stop() {
        registry.destroyForcibly();
        api.close();
    }

    @Test
    void an_image_is_pulled_once_and_runs_as_it_says() throws Exception {
        push("box");
        RunnableImage image = found(find("box", "IfNotPresent"));

        assertThat(image.config().user()).isEqualTo("1000:1000");
        assertThat(image.config().signal()).isEqualTo("QUIT");
        assertThat(image.config().directory()).isEqualTo("/work");
        assertThat(image.config().environment()).containsEntry("COLOR", "blue");
        assertThat(run(image)).isEqualTo("1000 /work bin dev proc sys work\n");

        registry.destroyForcibly().waitFor();
        assertThat(found(find("box", "IfNotPresent")).id()).isEqualTo(image.id());
        assertThat(missing(find("box", "Always")).reason()).isEqualTo("ErrImagePull");
        assertThat(store.list()).containsEntry(name("box"), image.id());
    }

    @Test
    void what_is_not_there_is_said_in_the_registrys_own_words() throws Exception {
        assertThat(missing(find("nobody", "IfNotPresent")).message())
                .contains("failed to pull image", "manifest unknown");
        assertThat(missing(find("nobody", "Never")).reason()).isEqualTo("ErrImageNeverPull");
    }

    @Test
    void an_image_that_was_damaged_is_refused() throws Exception {
        push("box");
        try (Stream<Path> blobs = Files.walk(folder.resolve("registry"))) {
            for (Path blob : blobs.filter(p -> p.endsWith("data") && p.toFile().length() > 10_000)
                    .toList()) {
                byte[] bytes = Files.readAllBytes(blob);
                bytes[bytes.length / 2] ^= 1;
                Files.write(blob, bytes);
            }
        }

        assertThat(missing(find("box", "IfNotPresent")).reason()).isEqualTo("ErrImagePull");
        assertThat(store.list()).isEmpty();
    }

    @Test
    void layers_that_climb_out_of_their_folder_write_nothing_outside() throws Exception {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        Path work = Files.createDirectories(folder.resolve("work"));
        Files.writeString(work.resolve("file"), "climbed");
        Files.createSymbolicLink(work.resolve("door"), outside);
        Path layer = folder.resolve("evil.tar");
        sh("tar -C %s -P -cf %s door".formatted(work, layer));
        sh("tar -C %s -P -rf %s --transform 's,^file,door/through-link,' file".formatted(work, layer));
        sh("tar -C %s -P -rf %s --transform 's,^file,../../../../../../../..%s/climbed,' file"
                .formatted(work, layer, outside));
        sh("tar -C %s -P -rf %s --transform 's,^file,%s/absolute,' file".formatted(work, layer, outside));
        push("climber", layer);

        find("climber", "IfNotPresent");

        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void an_image_with_a_device_file_is_refused() throws Exception {
        sh("mknod %s b 8 0".formatted(folder.resolve("disk")));
        Path layer = folder.resolve("device.tar");
        sh("tar -C %s -cf %s disk".formatted(folder, layer));
        push("device", layer);

        assertThat(missing(find("device", "IfNotPresent")).message()).contains("device file: /disk");
    }

    @Test
    void an_image_comes_from_a_file_where_there_is_no_network() throws Exception {
        push("box");
        registry.destroyForcibly().waitFor();
        sh("skopeo --insecure-policy copy -q oci:%1$s/box:t oci-archive:%1$s/box.tar".formatted(folder));

        assertThat(store.load(folder.resolve("box.tar"), "team/box:2")).containsExactly("docker.io/team/box:2");
        assertThat(find("team/box:2", "Always", false)).isInstanceOf(ImageAnswer.Found.class);
    }

    @Test
    void a_name_is_made_whole() {
        assertThat(ImageName.full("nginx")).isEqualTo("docker.io/library/nginx:latest");
        assertThat(ImageName.full("team/app:1")).isEqualTo("docker.io/team/app:1");
        assertThat(ImageName.full("host:5000/a:1@sha256:00")).isEqualTo("host:5000/a@sha256:00");
    }

    private String run(RunnableImage image) throws Exception {
        ContainerSpec plain = TestSpecs.of(folder, "box", "unused");
        UserTable.Account account =
                UserTable.of(image.layers()).find(image.config().user());
        ContainerSpec spec = new ContainerSpec(
                plain.id(),
                new Program(
                        List.of("/bin/busybox", "sh", "-c", "echo $(busybox id -u) $(busybox pwd) $(busybox ls /)"),
                        Map.of("PATH", "/bin"),
                        image.config().directory()),
                new ContainerSpec.User(account.id(), account.group(), List.of()),
                new Root(image.layers(), false),
                image.binds(),
                plain.isolation(),
                plain.limits(),
                plain.streams());
        ContainerRuntime runtime = RuncRuntime.open(folder.resolve("state"));
        try {
            RuntimeContainer container = runtime.prepare(spec);
            container.start();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !container.processes().keeper().isAlive());
            return Files.readString(spec.streams().output())
                    + Files.readString(spec.streams().errors());
        } finally {
            runtime.remove(spec.id());
            Cgroups.remove(TestSpecs.cgroup());
        }
    }

    /// Busybox as an image in the registry, with more layers on top.
    private void push(String image, Path... layers) throws IOException, InterruptedException {
        String layout = folder.resolve(image) + ":t";
        sh("umoci init --layout " + folder.resolve(image));
        sh("umoci new --image " + layout);
        sh("umoci insert --image %s /bin/busybox /bin/busybox".formatted(layout));
        for (Path layer : layers) {
            sh("umoci raw add-layer --image %s %s".formatted(layout, layer));
        }
        sh(
                "umoci config --image %s --config.user 1000:1000 --config.stopsignal SIGQUIT --config.workingdir /work --config.env COLOR=blue"
                        .formatted(layout));
        sh("skopeo --registries-conf %s copy -q oci:%s docker://%s"
                .formatted(folder.resolve("registries.conf"), layout, name(image)));
    }

    private String name(String image) {
        return "127.0.0.1:%d/%s:1".formatted(port, image);
    }

    private ImageAnswer find(String image, String policy) throws InterruptedException {
        return find(image, policy, true);
    }

    private ImageAnswer find(String image, String policy, boolean registered) throws InterruptedException {
        Pod pod = TestPods.parse("{'spec': {'containers': []}}");
        return store.find(registered ? name(image) : image, policy, new PullSecrets(api, pod), () -> {});
    }

    private static RunnableImage found(ImageAnswer answer) {
        assertThat(answer).isInstanceOf(ImageAnswer.Found.class);
        return ((ImageAnswer.Found) answer).image();
    }

    private static ImageAnswer.Missing missing(ImageAnswer answer) {
        assertThat(answer).isInstanceOf(ImageAnswer.Missing.class);
        return (ImageAnswer.Missing) answer;
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new java.net.InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false; // not yet
        }
    }

    private static void sh(String line) throws InterruptedException {
        RuncCommands.Result result = RuncCommands.run(List.of("sh", "-c", line));
        assertThat(result.code()).as(line + ": " + result.output()).isZero();
    }
}
