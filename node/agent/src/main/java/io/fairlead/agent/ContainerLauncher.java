package io.fairlead.agent;

import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerId;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.ContainerSpec;
import io.fairlead.containers.ContainerStart;
import io.fairlead.containers.ImageAnswer;
import io.fairlead.containers.NodeException;
import io.fairlead.containers.PodResources;
import io.fairlead.containers.PreparedContainer;
import io.fairlead.containers.PullSecrets;
import io.fairlead.containers.RunnableImage;
import io.fairlead.containers.RuntimeContainer;
import io.fairlead.containers.Sandbox;
import io.fairlead.containers.VolumeFiles;
import io.fairlead.kernel.Cgroups;
import io.fairlead.kernel.KernelException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts the containers of one pod, and writes down what became of it: a process, or why there is none.
record ContainerLauncher(NodeParts node, PodLedger ledger, Containers containers, VolumeFiles volumes) {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerLauncher.class);

    void start(Pod.Container container, Pod pod, Hooks hooks) throws InterruptedException {
        ImageAnswer answer = image(container, pod);
        switch (answer) {
            case ImageAnswer.Missing(String reason, String message) -> {
                ledger.update(
                        ledger.record().with(container.name(), c -> c.withoutImage(reason, message, Instant.now())));
                node.tell(Optional.of(pod), "Warning", "Failed", message);
            }
            case ImageAnswer.Found(RunnableImage image) -> start(container, pod, image, hooks);
        }
    }

    /// With Events about a registry that is asked.
    private ImageAnswer image(Pod.Container container, Pod pod) throws InterruptedException {
        AtomicReference<@Nullable Instant> begin = new AtomicReference<>();
        ImageAnswer answer = node.programming().images().find(container, new PullSecrets(node.api(), pod), () -> {
            begin.set(Instant.now());
            node.tell(Optional.of(pod), "Normal", "Pulling", "Pulling image \"%s\"".formatted(container.image()));
        });
        Instant since = begin.get();
        if (since != null && answer instanceof ImageAnswer.Found) {
            node.tell(
                    Optional.of(pod),
                    "Normal",
                    "Pulled",
                    "Successfully pulled image \"%s\" in %d ms"
                            .formatted(
                                    container.image(),
                                    Duration.between(since, Instant.now()).toMillis()));
        }
        return answer;
    }

    private void start(Pod.Container container, Pod pod, RunnableImage image, Hooks hooks) throws InterruptedException {
        int restarts = ledger.record()
                .find(container.name())
                .map(ContainerRecord::nextRestarts)
                .orElse(0);
        Path log = node.state().startLog(ledger.record(), container.name(), restarts);
        Sandbox sandbox = node.sandbox(ledger.record());
        ContainerId id = sandbox.container(container.name(), restarts);
        Cgroups.share(node.host().machine().cgroup() + "/" + id.sandbox(), PodResources.cpuShares(pod));
        Optional<PreparedContainer> prepared =
                prepare(new ContainerStart(node.host(), sandbox, pod, volumes, member(pod)), container, image, id, log);
        if (prepared.isPresent()) {
            try (PreparedContainer ready = prepared.get()) {
                make(ready.spec(), pod, log, UsedImage.of(container.image(), image), hooks);
            }
        }
    }

    /// Whose namespaces a new container shares.
    private OptionalLong member(Pod pod) throws InterruptedException {
        OptionalLong pause = new PauseContainer(node, ledger).program(pod);
        return pause.isPresent() ? pause : containers.member();
    }

    /// Nothing where the pod asks for something that is not there; that is written down.
    private Optional<PreparedContainer> prepare(
            ContainerStart start, Pod.Container container, RunnableImage image, ContainerId id, Path log)
            throws InterruptedException {
        try {
            return Optional.of(start.prepare(container, image, id, log));
        } catch (NodeException e) {
            String why = String.valueOf(e.getMessage());
            ledger.update(ledger.record()
                    .with(container.name(), c -> c.refused("CreateContainerConfigError", why, Instant.now())));
            node.tell(Optional.of(start.pod()), "Warning", "Failed", why);
            return Optional.empty();
        }
    }

    /// It is written down before its program begins: an agent that takes over lets it begin.
    private void make(ContainerSpec spec, Pod pod, Path log, UsedImage used, Hooks hooks) throws InterruptedException {
        String name = spec.id().container();
        PodRecord record = ledger.record();
        try {
            used.write(node.sandbox(record), name);
            RuntimeContainer made = node.runtime().prepare(spec);
            ledger.update(record.with(name, c -> c.started(made.processes().keeper(), Instant.now())));
            node.programming().logs().open(log);
            containers.add(name, made, used);
            node.tell(Optional.of(pod), "Normal", "Created", "Created container: " + name);
            made.start();
            node.tell(Optional.of(pod), "Normal", "Started", "Started container " + name);
            containers.afterStart(name, hooks, made);
            LOG.info(
                    "event=container-started pod={} container={} pid={}",
                    record.key(),
                    name,
                    made.processes().program());
        } catch (NodeException | KernelException e) {
            containers.forget(name);
            node.runtime().remove(spec.id());
            String why = "cannot start %s: %s".formatted(spec.program().words().getFirst(), e.getMessage());
            ledger.update(record.with(name, c -> c.unstartable(why, Instant.now())));
            node.tell(Optional.of(pod), "Warning", "Failed", why);
            LOG.info("event=container-not-started pod={} container={} reason=\"{}\"", record.key(), name, why);
        }
    }
}
