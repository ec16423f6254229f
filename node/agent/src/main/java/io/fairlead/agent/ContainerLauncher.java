package io.fairlead.agent;

import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.ContainerStart;
import io.fairlead.containers.Image;
import io.fairlead.containers.NodeException;
import io.fairlead.containers.ProcessId;
import io.fairlead.containers.VolumeFiles;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.Launch;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts the containers of one pod, and writes down what became of it: a process, or why there is none.
record ContainerLauncher(NodeParts node, PodLedger ledger, Containers containers, VolumeFiles volumes) {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerLauncher.class);

    void start(Pod.Container container, Pod pod) throws InterruptedException {
        String name = container.name();
        Optional<Image> image = node.programming().images().find(container.image());
        if (image.isEmpty()) {
            String refusal = node.programming().images().refusal(container.image());
            ledger.update(ledger.record().with(name, c -> c.withoutImage(refusal, Instant.now())));
            return;
        }
        int restarts =
                ledger.record().find(name).map(ContainerRecord::nextRestarts).orElse(0);
        if (restarts > 0 && !pod.spec().hostNetwork()) {
            node.network().killStrangers(ledger.record()); // what the container's last run left behind
        }
        Path log = node.state().startLog(ledger.record(), name, restarts);
        prepare(pod, container, image.get(), log).ifPresent(launch -> launch(name, launch, log));
    }

    /// Nothing where the pod asks for something that is not there; that is written down.
    private Optional<Launch> prepare(Pod pod, Pod.Container container, Image image, Path log)
            throws InterruptedException {
        try {
            return Optional.of(new ContainerStart(node.host(), node.sandbox(ledger.record()), pod, volumes)
                    .prepare(container, image, log));
        } catch (NodeException e) {
            String why = String.valueOf(e.getMessage());
            ledger.update(ledger.record()
                    .with(container.name(), c -> c.refused("CreateContainerConfigError", why, Instant.now())));
            return Optional.empty();
        }
    }

    private void launch(String name, Launch launch, Path log) {
        PodRecord record = ledger.record();
        try {
            int pid = launch.start();
            ProcessId id = ProcessId.find(pid).orElse(new ProcessId(pid, 0)); // one that ended already has no time
            ledger.update(record.with(name, c -> c.started(id, Instant.now())));
            node.programming().logs().open(log);
            containers.add(name, id);
            LOG.info("pod={} container={} pid={} started", record.key(), name, pid);
        } catch (KernelException e) {
            String why = "cannot start %s: %s".formatted(launch.words().getFirst(), e.getMessage());
            ledger.update(record.with(name, c -> c.unstartable(why, Instant.now())));
            LOG.info("pod={} container={} not started: {}", record.key(), name, why);
        }
    }
}
