package io.fairlead.agent;

import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerId;
import io.fairlead.containers.ContainerSpec;
import io.fairlead.containers.PodFiles;
import io.fairlead.containers.RunnableImage;
import io.fairlead.containers.RuntimeContainer;
import io.fairlead.containers.Sandbox;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The first process of a pod whose containers see each other's processes (`shareProcessNamespace`): it holds the
/// namespaces while they come and go, and reaps what they leave.
record PauseContainer(NodeParts node, PodLedger ledger) {
    /// No container of a pod can have this name.
    private static final String NAME = "-pause";
    private static final long NOBODY = 65535;
    private static final Path NOWHERE = Path.of("/dev/null");

    static boolean isNamed(ContainerId id) {
        return id.container().equals(NAME);
    }

    /// Its process, made where it is not there; nothing for a pod that does not want one.
    OptionalLong program(Pod pod) throws InterruptedException {
        var isolation = pod.spec().surroundings().isolation();
        if (!isolation.shareProcessNamespace() || isolation.hostPid()) {
            return OptionalLong.empty();
        }
        Sandbox sandbox = node.sandbox(ledger.record());
        ContainerId id = sandbox.container(NAME, 0);
        Optional<RuntimeContainer> known =
                node.runtime().find(id).filter(c -> c.processes().keeper().isAlive());
        RuntimeContainer container =
                known.isPresent() ? known.get() : node.runtime().prepare(spec(pod, sandbox, id));
        container.start();
        return OptionalLong.of(container.processes().program());
    }

    private ContainerSpec spec(Pod pod, Sandbox sandbox, ContainerId id) {
        RunnableImage image = node.programming().images().pause();
        Map<String, String> namespaces = new LinkedHashMap<>(Map.of("mount", "", "pid", "", "uts", ""));
        if (!pod.spec().surroundings().isolation().hostIpc()) {
            namespaces.put("ipc", "");
        }
        if (!pod.spec().hostNetwork()) {
            namespaces.put("network", "/run/netns/" + sandbox.names().namespace());
        }
        return new ContainerSpec(
                id,
                new ContainerSpec.Program(image.config().entrypoint(), Map.of("PATH", "/usr/bin:/bin"), "/"),
                new ContainerSpec.User(NOBODY, NOBODY, List.of()),
                new ContainerSpec.Root(image.layers(), true),
                image.binds(),
                new ContainerSpec.Isolation(
                        namespaces,
                        PodFiles.hostname(pod, node.config().name()),
                        Map.of(),
                        new ContainerSpec.Privileges(false, Set.of(), true, true, true)),
                new ContainerSpec.Limits(
                        "%s/%s/pause".formatted(node.host().machine().cgroup(), id.sandbox()),
                        2,
                        0,
                        0,
                        8,
                        node.host().machine().lowestScore()),
                new ContainerSpec.Streams(NOWHERE, NOWHERE, false, false, false, NOWHERE));
    }
}
