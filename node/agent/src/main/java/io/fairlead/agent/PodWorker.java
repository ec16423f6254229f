package io.fairlead.agent;

import io.fairlead.agent.PodPlan.Step;
import io.fairlead.agent.PodRecord.Stage;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.client.ApiException;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.NodeException;
import io.fairlead.containers.VolumeFiles;
import io.fairlead.kernel.KernelException;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskFaults;
import io.fairlead.runtime.TaskGroup;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
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
    private final PodLedger ledger;
    private final TaskGroup tasks;
    private final Containers containers;
    private final ContainerEnds ends;
    private final ContainerLauncher launcher;
    private final StatusReporter reporter;
    private final VolumeFiles volumes;
    private final Backoff backoff =
            new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30), RandomGenerator.getDefault());

    // Written by others; the bell says when to look.
    private final Latest<Instant> bell = new Latest<>();
    private volatile String excess = "";
    private volatile DesiredState desired = new DesiredState.Keep();

    private final TaskFaults faults;

    // The worker's own.
    private boolean adopted;
    private boolean networkBuilt;
    private String trouble = "";

    PodWorker(NodeParts node, PodRecord record, TaskGroup program) {
        this.faults = program.faults();
        this.node = node;
        this.key = record.key();
        this.uid = record.uid();
        this.ledger = new PodLedger(node, record);
        this.tasks = new TaskGroup("pod/" + key, program);
        this.containers = new Containers(node, tasks, this::ring);
        this.ends = new ContainerEnds(node, ledger);
        this.volumes = new VolumeFiles(
                node.api(),
                node.claims(),
                ledger.folder().resolve("volumes"),
                node.sandbox(record).memory());
        this.launcher = new ContainerLauncher(node, ledger, containers, volumes);
        this.reporter = new StatusReporter(node.api());
    }

    NamespacedName key() {
        return key;
    }

    String uid() {
        return uid;
    }

    boolean isGone() {
        return ledger.isClosed();
    }

    /// What the cluster wants from now on.
    void desire(DesiredState newer) {
        if (!newer.equals(desired)) {
            desired = newer;
            ring();
        }
    }

    /// The pod uses more of the node than it may: it is to go.
    void evict(String why) {
        excess = why;
        ring();
    }

    /// What it uses on disk, and how much of that its pod allows.
    DiskUse diskUse(Pod pod) {
        return new DiskUse(pod, ledger.record(), ledger.folder());
    }

    /// Works until the pod is gone; interrupted, it leaves the pod running.
    void run() throws InterruptedException {
        try (TaskGroup own = tasks) {
            own.keep("status", reporter::run);
            own.keep("volumes", new VolumeRefresh(node, ledger, volumes, this::podToRun)::run);
            while (!isGone()) {
                round(desired);
            }
        }
    }

    private void round(DesiredState wanted) throws InterruptedException {
        try {
            adopt();
            observe(wanted);
            carryOut(
                    PodPlan.next(new PodPlan.Situation(
                            wanted, ledger.record(), networkBuilt, containers.health(), Instant.now())),
                    wanted);
        } catch (NodeException | KernelException | UncheckedIOException | ApiException e) {
            Duration wait = backoff.next();
            LOG.warn("event=pod-failed pod={} retry={}ms reason=\"{}\"", key, wait.toMillis(), e.getMessage());
            LOG.debug("event=pod-failed pod={}", key, e);
            wait(wanted, String.valueOf(e.getMessage()), wait);
        } catch (RuntimeException e) { // a fault of ours: this pod waits and says so, and all others go on
            faults.ended("node", "pod/" + key, e);
            wait(wanted, "the agent failed: " + e, backoff.next());
        }
    }

    /// Takes over what an agent before this one left of the pod; once it has succeeded, never again.
    private void adopt() throws InterruptedException {
        if (!adopted) {
            new Leftovers(node, ledger).remove();
            containers.adopt(ledger.record());
            ends.openLogs();
            adopted = true;
        }
    }

    private void wait(DesiredState wanted, String why, Duration time) throws InterruptedException {
        trouble = why;
        report(wanted);
        bell.take(time);
    }

    private void observe(DesiredState wanted) throws InterruptedException {
        String why = excess;
        if (!why.isEmpty() && ledger.record().stage() instanceof Stage.Staying) {
            mark(new Stage.Evicted(why));
            LOG.warn("event=pod-evicted pod={} reason=\"{}\"", key, why);
            node.tell(pod(wanted), "Warning", "Evicted", why);
        }
        PodRecord now = containers.withEnds(ledger.record(), Instant.now());
        if (!now.equals(ledger.record())) {
            ends.settle(now, pod(wanted));
        }
        if (!now.addresses().isEmpty()) {
            pod(wanted).ifPresent(pod -> containers.probe(pod, now));
        }
        report(wanted);
    }

    private void carryOut(Step step, DesiredState wanted) throws InterruptedException {
        switch (step) {
            case Step.BuildNetwork _ -> buildNetwork(wanted);
            case Step.Start(Pod.Container container) ->
                launcher.start(container, pod(wanted).orElseThrow(), hooks(wanted));
            case Step.Stop(String container) -> stop(container, wanted);
            case Step.KillOne(String container) -> killOne(container);
            case Step.MarkLeaving _ -> mark(new Stage.Leaving(Instant.now()));
            case Step.MarkWithdrawn(Instant since) -> mark(new Stage.Withdrawn(since, Instant.now()));
            case Step.MarkSignalled(Instant since) -> mark(new Stage.Signalled(since));
            case Step.Kill _ -> kill();
            case Step.Remove _ -> new PodRemoval(node, ledger, volumes).remove(wanted);
            case Step.Await(Instant until) -> await(until);
        }
        if (!(step instanceof Step.Await)) {
            trouble = "";
            backoff.reset();
        }
    }

    /// A pod on the node's own network has the node's addresses, and nothing to build.
    private void buildNetwork(DesiredState wanted) throws InterruptedException {
        boolean host = pod(wanted).filter(pod -> pod.spec().hostNetwork()).isPresent();
        if (ledger.record().addresses().isEmpty()) {
            ledger.update(ledger.record()
                    .withAddresses(
                            host ? node.config().addresses() : node.addresses().take()));
        }
        if (!host) {
            node.network().build(ledger.record());
        }
        networkBuilt = true;
    }

    private Hooks hooks(DesiredState wanted) {
        return new Hooks(pod(wanted), ledger.record().addresses());
    }

    private void stop(String container, DesiredState wanted) {
        node.tell(pod(wanted), "Normal", "Killing", "Stopping container " + container);
        containers.stop(container, hooks(wanted), Instant.now());
        LOG.info("event=container-signalled pod={} container={}", key, container);
    }

    private void killOne(String container) throws InterruptedException {
        containers.kill(container);
        LOG.info("event=container-killed pod={} container={} reason=\"grace period over\"", key, container);
        bell.take(DEATH_PATIENCE);
    }

    private void mark(Stage stage) {
        ledger.update(ledger.record().withStage(stage));
    }

    private void kill() throws InterruptedException {
        for (ContainerRecord container : ledger.record().containers()) {
            containers.kill(container.name());
        }
        LOG.info("event=pod-killed pod={} reason=\"grace period over\"", key);
        bell.take(DEATH_PATIENCE);
    }

    private void await(Instant until) throws InterruptedException {
        Duration left = until.equals(PodPlan.NEVER) ? LONGEST_WAIT : Duration.between(Instant.now(), until);
        bell.take(left.compareTo(LONGEST_WAIT) < 0 ? left : LONGEST_WAIT);
    }

    private void report(DesiredState wanted) {
        pod(wanted)
                .map(pod -> new PodStatus.View(
                        pod,
                        ledger.record(),
                        containers.health(),
                        trouble,
                        node.config().addresses(),
                        containers.imageIds()))
                .ifPresent(reporter::offer);
    }

    private static Optional<Pod> pod(DesiredState desired) {
        return switch (desired) {
            case DesiredState.Run(Pod pod) -> Optional.of(pod);
            case DesiredState.Terminate(Pod pod, var _) -> Optional.of(pod);
            case DesiredState.Keep _, DesiredState.Vanish _ -> Optional.empty();
        };
    }

    Optional<Pod> podToRun() {
        return desired instanceof DesiredState.Run(Pod pod) ? Optional.of(pod) : Optional.empty();
    }

    /// The pod as others may see it.
    PodView view() {
        return ledger.view();
    }

    private void ring() {
        bell.offer(Instant.now());
    }
}
