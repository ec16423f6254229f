package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Where images come from and how they go, with a real registry on loopback.
final class ImageSourcesIT {
    @TempDir
    private Path folder;

    private TestRegistry open;
    private HttpServer secrets;
    private ApiClient api;

    @BeforeEach
    void start() throws Exception {
        open = TestRegistry.start(folder, false);
        secrets = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        secrets.start();
        api = new ApiClient(ClusterAccess.of(
                URI.create("http://127.0.0.1:" + secrets.getAddress().getPort())));
    }

    @AfterEach
    void stop() {
        api.close();
        secrets.stop(0);
        open.close();
    }

    @Test
    void a_mirror_and_an_insecure_registry_are_used_as_the_configuration_says() throws Exception {
        TestRegistry.make(folder, "mirrored", "amd64");
        open.push("mirrored", "team/box:1");
        ImageStore store = store("""
            [[registry]]
            prefix = "images.test"
            location = "127.0.0.1:1"
            [[registry.mirror]]
            location = "%s"
            insecure = true
            """.formatted(open.address()));

        assertThat(which(find(store, "images.test/team/box:1", ""))).isEqualTo("mirrored");
        assertThat(((ImageAnswer.Missing) find(store, open.address() + "/team/box:1", "")).message())
                .as("without a word in the configuration a registry has to speak TLS")
                .contains("HTTP response to HTTPS client");
    }

    @Test
    void of_an_image_of_two_architectures_a_node_takes_its_own() throws Exception {
        TestRegistry.make(folder, "amd64", "amd64");
        TestRegistry.make(folder, "arm64", "arm64");
        makeIndex(List.of("amd64", "arm64"), "both");
        open.push("both", "box:both");

        RunnableImage image = ((ImageAnswer.Found) find(insecure(), open.address() + "/box:both", "")).image();

        String own = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        assertThat(image.config().environment()).containsEntry("WHICH", own);
    }

    /// Joins images of the layout under one tag, as registries have those of several architectures.
    private void makeIndex(List<String> architectures, String tag) throws Exception {
        Path layout = folder.resolve("box");
        ObjectNode index = (ObjectNode) Json.parse(Files.readString(layout.resolve("index.json")));
        ObjectNode both =
                Json.object().put("schemaVersion", 2).put("mediaType", "application/vnd.oci.image.index.v1+json");
        ArrayNode list = both.putArray("manifests");
        for (JsonNode manifest : index.path("manifests")) {
            String name = Json.text(manifest, "annotations", "org.opencontainers.image.ref.name");
            if (architectures.contains(name)) {
                ObjectNode row = ((ObjectNode) manifest.deepCopy());
                row.remove("annotations");
                row.putObject("platform").put("architecture", name).put("os", "linux");
                list.add(row);
            }
        }
        byte[] blob = both.toString().getBytes(StandardCharsets.UTF_8);
        String digest = HexFormat.of()
                .formatHex(java.security.MessageDigest.getInstance("SHA-256").digest(blob));
        Files.write(layout.resolve("blobs/sha256").resolve(digest), blob);
        ObjectNode entry = ((ArrayNode) index.path("manifests")).addObject();
        entry.put("mediaType", "application/vnd.oci.image.index.v1+json")
                .put("digest", "sha256:" + digest)
                .put("size", blob.length);
        entry.putObject("annotations").put("org.opencontainers.image.ref.name", tag);
        Files.writeString(layout.resolve("index.json"), index.toString());
    }

    @Test
    void a_registry_that_is_closed_opens_with_the_secret_of_the_pod_and_without_it_says_why() throws Exception {
        TestRegistry.make(folder, "private", "amd64");
        try (TestRegistry closed = TestRegistry.start(folder, true)) {
            closed.push("private", "box:1");
            serveSecret("pull", closed.address());
            ImageStore store = insecure(open.address(), closed.address());
            String name = closed.address() + "/box:1";

            assertThat(((ImageAnswer.Missing) find(store, name, "")).message())
                    .contains("failed to pull image", "unauthorized");
            assertThat(which(find(store, name, "'imagePullSecrets': [{'name': 'pull'}], ")))
                    .isEqualTo("private");
            assertThat(folder.resolve("store/auth.json"))
                    .as("no secret stays on the disk")
                    .doesNotExist();
        }
    }

    private void serveSecret(String name, String registry) {
        String login = base64(TestRegistry.USER + ":" + TestRegistry.PASSWORD);
        String config = "{\"auths\":{\"%s\":{\"auth\":\"%s\"}}}".formatted(registry, login);
        byte[] body = "{\"metadata\":{\"name\":\"%s\"},\"data\":{\".dockerconfigjson\":\"%s\"}}"
                .formatted(name, base64(config))
                .getBytes(StandardCharsets.UTF_8);
        secrets.createContext("/api/v1/namespaces/default/secrets/" + name, exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void an_archive_says_the_names_of_its_images() throws Exception {
        TestRegistry.make(folder, "filed", "amd64");
        ImageStore store = insecure();
        copy("docker-archive:%s/docker.tar:team/box:3");
        copy("oci-archive:%s/oci.tar:example.org/team/box:4");
        copy("oci-archive:%s/nameless.tar");

        assertThat(store.load(folder.resolve("docker.tar"), "")).containsExactly("docker.io/team/box:3");
        assertThat(store.load(folder.resolve("oci.tar"), "")).containsExactly("example.org/team/box:4");
        assertThat(store.load(folder.resolve("nameless.tar"), "box:5")).containsExactly("docker.io/library/box:5");
        assertThat(which(find(store, "example.org/team/box:4", ""))).isEqualTo("filed");
        assertThatThrownBy(() -> store.load(folder.resolve("nameless.tar"), ""))
                .isInstanceOf(NodeException.class)
                .hasMessageContaining("says no name");
        Path other = Files.writeString(folder.resolve("other.tar"), "no archive");
        assertThatThrownBy(() -> store.load(other, "a"))
                .isInstanceOf(NodeException.class)
                .hasMessageContaining("neither an OCI archive nor a docker archive");
    }

    private void copy(String to) throws InterruptedException {
        TestRegistry.sh("skopeo --insecure-policy copy -q oci:%s/box:filed %s".formatted(folder, to.formatted(folder)));
    }

    @Test
    void images_that_no_pod_has_go_when_room_is_needed_and_come_back_when_they_are_asked_for() throws Exception {
        TestRegistry.make(folder, "old", "amd64");
        TestRegistry.make(folder, "used", "amd64");
        open.push("old", "old:1");
        open.push("used", "used:1");
        ImageStore store = insecure();
        String old = open.address() + "/old:1";
        String used = open.address() + "/used:1";
        find(store, old, "");
        RunnableImage kept = ((ImageAnswer.Found) find(store, used, "")).image();
        assertThat(store.collect(Set.of(), Long.MAX_VALUE))
                .as("both were just asked for")
                .isEmpty();
        makeOld();
        long before = Folders.bytes(folder.resolve("store"));

        assertThat(store.collect(Set.of(kept.id()), Long.MAX_VALUE)).containsExactly(old);

        assertThat(store.list().keySet()).containsExactly(used);
        assertThat(kept.layers().getFirst().resolve("bin/busybox")).exists();
        assertThat(Folders.bytes(folder.resolve("store"))).isLessThan(before - Files.size(Path.of("/bin/busybox")));
        assertThat(which(find(store, old, ""))).isEqualTo("old");
    }

    /// All images were asked for long ago.
    private void makeOld() throws IOException {
        Path file = folder.resolve("store/index.json");
        ObjectNode index = (ObjectNode) Json.parse(Files.readString(file));
        index.valueStream().forEach(row -> ((ObjectNode) row).put("asked", 1));
        Files.writeString(file, index.toString());
    }

    private ImageStore insecure(String... more) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String address : more.length == 0 ? new String[] {open.address()} : more) {
            text.append("[[registry]]\nlocation = \"%s\"\ninsecure = true\n".formatted(address));
        }
        return store(text.toString());
    }

    private ImageStore store(String registries) throws IOException {
        Path file = Files.writeString(folder.resolve("registries.conf"), registries);
        return new ImageStore(folder.resolve("store"), List.of("--registries-conf", file.toString()));
    }

    private ImageAnswer find(ImageStore store, String image, String more) throws InterruptedException {
        Pod pod = TestPods.parse(
                "{'metadata': {'name': 'p', 'namespace': 'default'}, 'spec': {%s'containers': []}}".formatted(more));
        return store.find(image, "IfNotPresent", new PullSecrets(api, pod), () -> {});
    }

    private static String which(ImageAnswer answer) {
        assertThat(answer).isInstanceOf(ImageAnswer.Found.class);
        return String.valueOf(
                ((ImageAnswer.Found) answer).image().config().environment().get("WHICH"));
    }
}
