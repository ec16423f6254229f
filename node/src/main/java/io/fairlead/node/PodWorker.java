package io.fairlead.node;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.client.ApiException;
import io.fairlead.client.DeleteOptions;
import io.fairlead.kernel.KernelException;
import io.fairlead.node.ContainerRecord.State;
import io.fairlead.node.PodPlan.Step;
import io.fairlead.node.PodRecord.Stage;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The owner of one pod on this node, from its first sight to its end: looks at what is, asks [PodPlan] what to do
/// next, and does it.
final class PodWorker {
    private static final Logger LOG = LoggerFactory.getLogger(PodWorker.class);
    /// Longer than any wait that matters; waking up for nothing costs nothing.
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);
    private static final Duration DEATH_PATIENCE = Duration.ofSeconds(1);

    private final NodeParts node;
    private final NamespacedName key;
    private final String uid;
    private final TaskGroup tasks;
    private final Containers containers;
    private final StatusReporter reporter;
    private final Backoff backoff =
            new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30), RandomGenerator.getDefault());

    // Written by others; the bell says when to look.
    private final Latest<Instant> bell = new Latest<>();
    private volatile Wish wish = new Wish.Keep();
    private volatile boolean gone;

    // The worker's own.
    private PodRecord record;
    private boolean networkBuilt;
    private String trouble = "";

    PodWorker(NodeParts node, PodRecord record) {
        this.node = node;
        this.record = record;
        this.key = record.key();
        this.uid = record.uid();
        this.tasks = new TaskGroup("pod/" + key);
        this.containers = new Containers(tasks, this::ring);
        this.reporter = new StatusReporter(node.api());
    }

    NamespacedName key() {
        return key;
    }

    String uid() {
        return uid;
    }

    boolean isGone() {
        return gone;
    }

    /// What the cluster wants from now on.
    void wish(Wish newer) {
        if (!newer.equals(wish)) {
            wish = newer;
            ring();
        }
    }

    /// Works until the pod is gone; interrupted, it leaves the pod running.
    void run() throws InterruptedException {
        try (TaskGroup own = tasks) {
            own.run("status", reporter::run);
            containers.adopt(record);
            while (!gone) {
                round(wish);
            }
        }
    }

    private void round(Wish wanted) throws InterruptedException {
        try {
            observe(wanted);
            carryOut(PodPlan.next(new PodPlan.Situation(wanted, record, networkBuilt, Instant.now())), wanted);
        } catch (NodeException | KernelException | UncheckedIOException | ApiException e) {
            Duration wait = backoff.next();
            LOG.warn("pod={} next try in {} ms: {}", key, wait.toMillis(), e.getMessage());
            LOG.debug("pod={} failed here", key, e);
            trouble = String.valueOf(e.getMessage());
            report(wanted);
            bell.take(wait);
        }
    }

    private void observe(Wish wanted) {
        PodRecord now = containers.withEnds(record, Instant.now());
        if (!now.equals(record)) {
            logEnds(now);
            update(now);
        }
        pod(wanted).ifPresent(pod -> containers.probe(pod, record));
        report(wanted);
    }

    private void carryOut(Step step, Wish wanted) throws InterruptedException {
        switch (step) {
            case Step.Refuse(String reason, String message) -> refuseAll(reason, message);
            case Step.BuildNetwork _ -> buildNetwork();
            case Step.Start(Pod.Container container) -> start(container);
            case Step.MarkLeaving _ -> update(record.withStage(new Stage.Leaving(Instant.now())));
            case Step.MarkWithdrawn(Instant since) ->
                update(record.withStage(new Stage.Withdrawn(since, Instant.now())));
            case Step.Terminate(Instant since) -> terminate(since);
            case Step.Kill _ -> kill();
            case Step.Remove _ -> remove(wanted);
            case Step.Await(Instant until) -> await(until);
        }
        if (!(step instanceof Step.Await)) {
            trouble = "";
            backoff.reset();
        }
    }

    private void refuseAll(String reason, String message) {
        PodRecord refused = record;
        for (ContainerRecord container : record.containers()) {
            refused = refused.with(container.name(), c -> c.refused(reason, message));
        }
        update(refused);
    }

    private void buildNetwork() throws InterruptedException {
        if (record.addresses().isEmpty()) {
            update(record.withAddresses(node.addresses().take()));
        }
        node.network().build(record);
        networkBuilt = true;
    }

    private void start(Pod.Container container) throws InterruptedException {
        Optional<ImageTable.Program> program = node.images().find(container.image());
        if (program.isEmpty()) {
            String refusal = node.images().refusal(container.image());
            update(record.with(container.name(), c -> c.refused("ErrImagePull", refusal)));
            return;
        }
        int restarts =
                record.find(container.name()).map(ContainerRecord::nextRestarts).orElse(0);
        if (restarts > 0) {
            node.network().killStrangers(record); // what the container's last run left behind
        }
        Path log = node.state().startLog(record, container.name(), restarts);
        ContainerProcess.Child child = new ContainerStart(
                        record, container, program.get().commandLine(container))
                .start(node.state().folder(record), log);
        update(record.with(container.name(), c -> c.started(child.id(), Instant.now())));
        containers.add(container.name(), child);
        LOG.info(
                "pod={} container={} pid={} restarts={} started",
                key,
                container.name(),
                child.id().pid(),
                restarts);
    }

    /// The signal first: asked twice after a crash in between is better than never.
    private void terminate(Instant since) {
        record.processes().forEach(ProcessId::terminate);
        update(record.withStage(new Stage.Signalled(since)));
        LOG.info("pod={} asked to end", key);
    }

    private void kill() throws InterruptedException {
        record.processes().forEach(ProcessId::kill);
        LOG.info("pod={} killed after its grace period", key);
        bell.take(DEATH_PATIENCE);
    }

    private void remove(Wish wanted) throws InterruptedException {
        node.network().remove(record);
        node.state().remove(record);
        node.addresses().release(record.addresses());
        record = record.withAddresses(List.of()); // another pod may have them from now on
        if (wanted instanceof Wish.Leave) {
            deleteObject();
        }
        gone = true;
        LOG.info("pod={} removed", key);
    }

    private void deleteObject() throws InterruptedException {
        try {
            node.api().delete(Kind.POD, key, new DeleteOptions(0, uid));
        } catch (ApiException e) {
            if (!e.isNotFound() && !e.isConflict()) { // a conflict: the name is another pod's already
                throw e;
            }
        }
    }

    private void await(Instant until) throws InterruptedException {
        Duration left = until.equals(PodPlan.NEVER) ? LONGEST_WAIT : Duration.between(Instant.now(), until);
        bell.take(left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT);
    }

    private void report(Wish wanted) {
        pod(wanted)
                .map(pod -> new PodStatus.View(
                        pod, record, containers.ready(), trouble, node.config().addresses()))
                .ifPresent(reporter::offer);
    }

    private static Optional<Pod> pod(Wish wish) {
        return switch (wish) {
            case Wish.Run(Pod pod) -> Optional.of(pod);
            case Wish.Leave(Pod pod, var _) -> Optional.of(pod);
            case Wish.Keep _, Wish.Vanish _ -> Optional.empty();
        };
    }

    private void logEnds(PodRecord now) {
        for (ContainerRecord container : now.containers()) {
            if (container.now() instanceof State.Exited exited
                    && !record.containers().contains(container)) {
                LOG.info("pod={} container={} exitCode={} ended", key, container.name(), exited.exitCode());
            }
        }
    }

    /// What is done is written down at once.
    private void update(PodRecord newer) {
        node.state().save(newer);
        record = newer;
    }

    private void ring() {
        bell.offer(Instant.now());
    }
}
