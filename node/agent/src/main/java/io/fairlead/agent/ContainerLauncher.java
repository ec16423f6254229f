package io.fairlead.agent;

import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerId;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.ContainerSpec;
import io.fairlead.containers.ContainerStart;
import io.fairlead.containers.ImageAnswer;
import io.fairlead.containers.NodeException;
import io.fairlead.containers.PreparedContainer;
import io.fairlead.containers.PullSecrets;
import io.fairlead.containers.RunnableImage;
import io.fairlead.containers.RuntimeContainer;
import io.fairlead.containers.Sandbox;
import io.fairlead.containers.VolumeFiles;
import io.fairlead.kernel.KernelException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts the containers of one pod, and writes down what became of it: a process, or why there is none.
record ContainerLauncher(NodeParts node, PodLedger ledger, Containers containers, VolumeFiles volumes) {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerLauncher.class);

    void start(Pod.Container container, Pod pod, Hooks hooks) throws InterruptedException {
        ImageAnswer answer = node.programming().images().find(pod, container, new PullSecrets(node.api(), pod));
        switch (answer) {
            case ImageAnswer.Missing(String reason, String message) ->
                ledger.update(
                        ledger.record().with(container.name(), c -> c.withoutImage(reason, message, Instant.now())));
            case ImageAnswer.Found(RunnableImage image) -> start(container, pod, image, hooks);
        }
    }

    private void start(Pod.Container container, Pod pod, RunnableImage image, Hooks hooks) throws InterruptedException {
        int restarts = ledger.record()
                .find(container.name())
                .map(ContainerRecord::nextRestarts)
                .orElse(0);
        Path log = node.state().startLog(ledger.record(), container.name(), restarts);
        Sandbox sandbox = node.sandbox(ledger.record());
        ContainerId id = sandbox.container(container.name(), restarts);
        Optional<PreparedContainer> prepared = prepare(
                new ContainerStart(node.host(), sandbox, pod, volumes, containers.member()), container, image, id, log);
        if (prepared.isPresent()) {
            try (PreparedContainer ready = prepared.get()) {
                make(ready.spec(), log, image, hooks);
            }
        }
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
            return Optional.empty();
        }
    }

    /// It is written down before its program begins: an agent that takes over lets it begin.
    private void make(ContainerSpec spec, Path log, RunnableImage image, Hooks hooks) throws InterruptedException {
        String name = spec.id().container();
        PodRecord record = ledger.record();
        try {
            RuntimeContainer made = node.runtime().prepare(spec);
            ledger.update(record.with(name, c -> c.started(made.processes().keeper(), Instant.now())));
            node.programming().logs().open(log);
            containers.add(name, made, image.config().signal());
            made.start();
            containers.afterStart(name, hooks, made);
            LOG.info(
                    "pod={} container={} pid={} started",
                    record.key(),
                    name,
                    made.processes().program());
        } catch (NodeException | KernelException e) {
            containers.forget(name);
            node.runtime().remove(spec.id());
            String why = "cannot start %s: %s".formatted(spec.program().words().getFirst(), e.getMessage());
            ledger.update(record.with(name, c -> c.unstartable(why, Instant.now())));
            LOG.info("pod={} container={} not started: {}", record.key(), name, why);
        }
    }
}
