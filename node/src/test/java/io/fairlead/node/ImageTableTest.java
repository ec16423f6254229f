package io.fairlead.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Pod;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ImageTableTest {
    @TempDir
    private Path folder;

    private ImageTable images;

    @BeforeEach
    void make() {
        images = ImageTable.builtIn(folder);
    }

    @Test
    void an_image_is_known_whatever_its_tag_and_digest() {
        assertThat(images.find("fairlead/echo")).isPresent();
        assertThat(images.find("fairlead/echo:2.1")).isPresent();
        assertThat(images.find("fairlead/echo:2.1@sha256:0123")).isPresent();
        assertThat(ImageTable.repository("host:5000/team/app:1.2@sha256:00")).isEqualTo("host:5000/team/app");
    }

    @Test
    void what_an_unknown_image_is_told_names_the_table() {
        assertThat(images.find("nginx:1.27")).isEmpty();
        assertThat(images.refusal("nginx:1.27"))
                .isEqualTo("image \"nginx:1.27\" is not in the image table of this node, which has"
                        + " fairlead/echo, fairlead/pause");
    }

    @Test
    void echo_listens_on_the_ports_of_the_container() {
        assertThat(
                        line(
                                "{'image': 'fairlead/echo', 'ports': [{'containerPort': 80}, {'containerPort': 53, 'protocol': 'UDP'}, {'containerPort': 9, 'protocol': 'SCTP'}]}"))
                .containsExactly("perl", folder.resolve("echo.pl").toString(), "80/TCP", "53/UDP");
    }

    @Test
    void args_replace_the_arguments_and_command_replaces_everything() {
        assertThat(line("{'image': 'fairlead/pause'}")).containsExactly("sleep", "infinity");
        assertThat(line("{'image': 'fairlead/pause', 'args': ['5']}")).containsExactly("sleep", "5");
        assertThat(line("{'image': 'fairlead/pause', 'command': ['echo'], 'args': ['hi']}"))
                .containsExactly("echo", "hi");
        assertThat(line("{'image': 'fairlead/pause', 'command': ['true']}")).containsExactly("true");
    }

    private List<String> line(String container) {
        Pod.Container parsed = TestPods.parse("{'spec': {'containers': [" + container + "]}}")
                .spec()
                .containers()
                .getFirst();
        return images.find(parsed.image()).orElseThrow().commandLine(parsed);
    }
}
