package io.fairlead.agent;

import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.Mount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;

/// Containers of images that podman has in its store, in the network of their pod.
record Podman(Path program) {

    /// Wherever this machine has it.
    static Podman ofMachine() {
        return Stream.of("/usr/bin/podman", "/usr/local/bin/podman")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .map(Podman::new)
                .orElse(new Podman(Path.of("/nonexistent/podman")));
    }

    /// True if the image is in its store; it is never fetched.
    boolean has(String image) {
        return Files.isExecutable(program)
                && Command.run(List.of(program.toString(), "image", "exists", image), "")
                        .succeeded();
    }

    /// How podman is told to run a container: in front, so that its end and its output are the container's.
    List<String> commandLine(PodRecord record, Pod pod, Pod.Container container, Surrounding around) {
        List<String> words = new ArrayList<>(List.of(
                program.toString(),
                "run",
                "--rm",
                "--replace",
                "--pull=never",
                "--name",
                name(record, container.name())));
        words.add("--network="
                + (pod.spec().hostNetwork()
                        ? "host"
                        : "ns:/run/netns/" + record.names().namespace()));
        if (!pod.spec().hostNetwork()) {
            words.add("--no-hosts");
        }
        around.variables().forEach((name, value) -> words.add("--env=" + name + "=" + value));
        around.binds()
                .forEach(bind -> words.add(
                        "--volume=%s:%s%s".formatted(bind.source(), bind.target(), bind.readOnly() ? ":ro" : "")));
        if (!container.workingDir().isEmpty()) {
            words.add("--workdir=" + container.workingDir());
        }
        if (!container.command().isEmpty()) {
            ArrayNode entrypoint = Json.object().putArray("entrypoint");
            Environment.expanded(container.command(), around.variables()).forEach(entrypoint::add);
            words.add("--entrypoint=" + entrypoint);
        }
        words.add(container.image());
        words.addAll(Environment.expanded(container.args(), around.variables()));
        return words;
    }

    /// What podman is to put around a container.
    record Surrounding(Map<String, String> variables, List<Mount.Bind> binds) {}

    /// Removes what is left of a container; nothing happens where there is none.
    void remove(PodRecord record) {
        if (Files.isExecutable(program)) {
            List<String> words = new ArrayList<>(List.of(program.toString(), "rm", "--force", "--ignore", "--time=0"));
            record.containers().forEach(container -> words.add(name(record, container.name())));
            Command.run(words, "");
        }
    }

    private static String name(PodRecord record, String container) {
        return "fl-%s-%s".formatted(record.names().folder(), PodNames.safe(container));
    }
}
