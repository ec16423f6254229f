package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ImageTableTest {
    @TempDir
    private Path folder;

    private final ImageTable images = ImageTable.of(List.of(), ImageTable.Samples.ALL);

    @Test
    void an_image_is_known_whatever_its_tag_and_digest() {
        assertThat(images.find("fairlead/echo")).isPresent();
        assertThat(images.find("fairlead/echo:2.1")).isPresent();
        assertThat(images.find("fairlead/echo:2.1@sha256:0123")).isPresent();
        assertThat(Image.repository("host:5000/team/app:1.2@sha256:00")).isEqualTo("host:5000/team/app");
    }

    @Test
    void the_samples_stand_for_an_image_only_where_they_are_asked_for() {
        assertThat(images.find("example.org/database:1.27")).isEmpty();
        assertThat(images.find("nginx")).isPresent();
        assertThat(ImageTable.of(List.of(), ImageTable.Samples.NONE).find("nginx"))
                .isEmpty();
        ImageTable ours = ImageTable.of(List.of(), ImageTable.Samples.OURS);
        assertThat(ours.find("busybox")).isEmpty();
        assertThat(ours.find("fairlead/echo")).isPresent();
        assertThat(images.find("127.0.0.1:5000/busybox")).isEmpty();
        assertThat(images.find("example.org/hello")).isEmpty();
    }

    @Test
    void echo_listens_on_the_ports_of_the_container() {
        assertThat(line("{'image': 'fairlead/echo', 'ports': [{'containerPort': 80}, {'containerPort': 53,"
                        + " 'protocol': 'UDP'}, {'containerPort': 9, 'protocol': 'SCTP'}]}"))
                .containsExactly("perl", "/run/fairlead/echo.pl", "80/TCP", "53/UDP");
    }

    @Test
    void the_images_of_the_documents_run_without_a_registry() {
        assertThat(line("{'image': 'jasonn/php-echoserver'}")).endsWith("80/TCP");
        assertThat(line("{'image': 'docker.io/library/nginx:1.27'}")).endsWith("80/TCP");
        assertThat(line("{'image': 'registry.k8s.io/echoserver:1.10'}")).endsWith("/run/fairlead/echo.pl");
        assertThat(line("{'image': 'busybox'}")).containsExactly("sh");
        assertThat(line("{'image': 'busybox', 'args': ['sleep', '5']}")).containsExactly("sleep", "5");
        assertThat(line("{'image': 'curlimages/curl:8.1', 'args': ['-s', 'http://hello']}"))
                .containsExactly("curl", "-s", "http://hello");
    }

    @Test
    void a_row_of_the_nodes_own_table_comes_first_and_is_read_when_it_is_wanted() throws IOException {
        Path file = folder.resolve("images.yaml");
        Files.writeString(file, "images: []");
        ImageTable own = ImageTable.of(List.of(file), ImageTable.Samples.NONE);
        assertThat(own.find("team/app")).isEmpty();

        Files.writeString(file, """
            images:
            - pattern: "team/*"
              root: /srv/team
              command: [/app/run]
              env: {MODE: fast}
            - pattern: nginx
              command: [nginx, -g, daemon off;]
            """);

        Image app = own.find("team/app:3").orElseThrow();
        assertThat(app.rootFolder()).contains(Path.of("/srv/team"));
        assertThat(app.env()).containsEntry("MODE", "fast");
        assertThat(own.find("nginx:1").orElseThrow().command()).startsWith("nginx");
    }

    @Test
    void args_replace_the_arguments_and_command_replaces_everything() {
        assertThat(line("{'image': 'busybox'}")).containsExactly("sh");
        assertThat(line("{'image': 'busybox', 'args': ['5']}")).containsExactly("5");
        assertThat(line("{'image': 'curlimages/curl', 'args': ['5']}")).containsExactly("curl", "5");
        assertThat(line("{'image': 'fairlead/pause', 'command': ['echo'], 'args': ['hi']}"))
                .containsExactly("echo", "hi");
        assertThat(line("{'image': 'fairlead/pause', 'command': ['true']}")).containsExactly("true");
    }

    private List<String> line(String container) {
        Pod.Container parsed = TestPods.parse("{'spec': {'containers': [" + container + "]}}")
                .spec()
                .containers()
                .getFirst();
        return images.find(parsed.image()).orElseThrow().config(parsed).commandLine(parsed);
    }
}
