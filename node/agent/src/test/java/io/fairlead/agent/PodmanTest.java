package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Pod;
import io.fairlead.kernel.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What podman is asked, by a program in its place that knows one image.
final class PodmanTest {
    @TempDir
    private Path folder;

    @Test
    void an_image_is_there_if_podman_says_so() throws IOException {
        Podman podman = podman();

        assertThat(podman.has("example.org/app:1")).isTrue();
        assertThat(podman.has("example.org/other:1")).isFalse();
        assertThat(new Podman(folder.resolve("nowhere")).has("example.org/app:1"))
                .isFalse();
    }

    @Test
    void a_container_runs_in_the_network_of_its_pod_with_its_files_and_variables() throws IOException {
        Pod pod = TestPods.parse("""
            {'metadata': {'namespace': 'default', 'name': 'web', 'uid': 'u-1'},
             'spec': {'containers': [{'name': 'app', 'image': 'example.org/app:1', 'command': ['serve', '$(A)'], 'args': ['-v']}]}}\
            """);
        PodRecord record = TestPods.record(pod);
        Mount.Bind hosts = new Mount.Bind(Path.of("/state/hosts"), Path.of("/etc/hosts"), true, false);

        List<String> words = podman().commandLine(
                        record,
                        pod,
                        pod.spec().containers().getFirst(),
                        new Podman.Surrounding(Map.of("A", "b c"), List.of(hosts)));

        assertThat(words)
                .contains(
                        "--pull=never",
                        "--network=ns:/run/netns/" + record.names().namespace(),
                        "--env=A=b c",
                        "--volume=/state/hosts:/etc/hosts:ro",
                        "--entrypoint=[\"serve\",\"b c\"]")
                .endsWith("example.org/app:1", "-v");
    }

    private Podman podman() throws IOException {
        Path program = folder.resolve("podman");
        Files.writeString(program, "#!/bin/sh\n[ \"$*\" = 'image exists example.org/app:1' ]\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new Podman(program);
    }
}
