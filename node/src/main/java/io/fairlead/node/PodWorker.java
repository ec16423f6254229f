package io.fairlead.node;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.client.ApiException;
import io.fairlead.client.DeleteOptions;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.Launch;
import io.fairlead.node.ContainerRecord.State;
import io.fairlead.node.PodPlan.Step;
import io.fairlead.node.PodRecord.Stage;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskGroup;
import java.io.UncheckedIOException;
import java.nio.file.Files;
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
    private static final Duration REFRESH = Duration.ofMinutes(1);

    private final NodeParts node;
    private final NamespacedName key;
    private final String uid;
    private final TaskGroup tasks;
    private final Containers containers;
    private final StatusReporter reporter;
    private final VolumeFiles volumes;
    private final Backoff backoff =
            new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30), RandomGenerator.getDefault());

    // Written by others; the bell says when to look.
    private final Latest<Instant> bell = new Latest<>();
    private volatile Wish wish = new Wish.Keep();
    private volatile boolean gone;

    // The worker's own.
    private volatile PodRecord record; // and read by those who look at the pod
    private boolean networkBuilt;
    private String trouble = "";

    PodWorker(NodeParts node, PodRecord record) {
        this.node = node;
        this.record = record;
        this.key = record.key();
        this.uid = record.uid();
        this.tasks = new TaskGroup("pod/" + key);
        this.containers = new Containers(tasks, node.programming().ends(), this::ring);
        this.volumes = new VolumeFiles(node.api(), node.state().folder(record).resolve("volumes"));
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
            own.run("volumes", this::refresh);
            containers.adopt(record);
            openLogs();
            while (!gone) {
                round(wish);
            }
        }
    }

    private void round(Wish wanted) throws InterruptedException {
        try {
            observe(wanted);
            carryOut(
                    PodPlan.next(
                            new PodPlan.Situation(wanted, record, networkBuilt, containers.health(), Instant.now())),
                    wanted);
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
            finishLogs(now);
            update(now);
        }
        if (!record.addresses().isEmpty()) {
            pod(wanted).ifPresent(pod -> containers.probe(pod, record));
        }
        report(wanted);
    }

    private void carryOut(Step step, Wish wanted) throws InterruptedException {
        switch (step) {
            case Step.BuildNetwork _ -> buildNetwork(wanted);
            case Step.Start(Pod.Container container) ->
                start(container, pod(wanted).orElseThrow());
            case Step.Stop(String container) -> stop(container);
            case Step.KillOne(String container) -> killOne(container);
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

    /// A pod on the node's own network has the node's addresses, and nothing to build.
    private void buildNetwork(Wish wanted) throws InterruptedException {
        boolean host = pod(wanted).filter(pod -> pod.spec().hostNetwork()).isPresent();
        if (record.addresses().isEmpty()) {
            update(record.withAddresses(
                    host ? node.config().addresses() : node.addresses().take()));
        }
        if (!host) {
            node.network().build(record);
        }
        networkBuilt = true;
    }

    private void start(Pod.Container container, Pod pod) throws InterruptedException {
        String name = container.name();
        Optional<Image> image = node.programming().images().find(container.image());
        if (image.isEmpty() && !node.podman().has(container.image())) {
            String refusal = node.programming().images().refusal(container.image());
            update(record.with(name, c -> c.withoutImage(refusal, Instant.now())));
            return;
        }
        int restarts = record.find(name).map(ContainerRecord::nextRestarts).orElse(0);
        if (restarts > 0) {
            killStrangers(pod); // what the container's last run left behind
        }
        Path log = node.state().startLog(record, name, restarts);
        launch(container, log, () -> new ContainerStart(node, record, pod, volumes).prepare(container, image, log));
    }

    /// How to make a launch ready, which may find out that it cannot be.
    private interface Preparation {
        Launch prepare() throws InterruptedException;
    }

    private void launch(Pod.Container container, Path log, Preparation preparation) throws InterruptedException {
        String name = container.name();
        Launch launch;
        try {
            launch = preparation.prepare();
        } catch (NodeException e) {
            String why = String.valueOf(e.getMessage());
            update(record.with(name, c -> c.refused("CreateContainerConfigError", why, Instant.now())));
            return;
        }
        try {
            int pid = launch.start();
            ProcessId id = ProcessId.find(pid).orElse(new ProcessId(pid, 0)); // one that ended already has no time
            update(record.with(name, c -> c.started(id, Instant.now())));
            node.programming().logs().open(log);
            containers.add(name, id);
            LOG.info("pod={} container={} pid={} started", key, name, pid);
        } catch (KernelException e) {
            String why = "cannot start %s: %s".formatted(launch.words().getFirst(), e.getMessage());
            update(record.with(name, c -> c.unstartable(why, Instant.now())));
            LOG.info("pod={} container={} not started: {}", key, name, why);
        }
    }

    private void killStrangers(Pod pod) throws InterruptedException {
        if (!pod.spec().hostNetwork()) {
            node.network().killStrangers(record);
        }
    }

    private void stop(String container) {
        containers.stop(container, Instant.now());
        LOG.info("pod={} container={} asked to end", key, container);
    }

    private void killOne(String container) throws InterruptedException {
        containers.kill(container);
        LOG.info("pod={} container={} killed after its grace period", key, container);
        bell.take(DEATH_PATIENCE);
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
        node.podman().remove(record);
        node.programming().logs().forget(node.state().folder(record));
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
                        pod, record, containers.health(), trouble, node.config().addresses()))
                .ifPresent(reporter::offer);
    }

    private static Optional<Pod> pod(Wish wish) {
        return switch (wish) {
            case Wish.Run(Pod pod) -> Optional.of(pod);
            case Wish.Leave(Pod pod, var _) -> Optional.of(pod);
            case Wish.Keep _, Wish.Vanish _ -> Optional.empty();
        };
    }

    /// The logs of containers that ended since.
    private void finishLogs(PodRecord now) {
        for (ContainerRecord container : now.containers()) {
            if (container.now() instanceof State.Exited exited
                    && !record.containers().contains(container)) {
                node.programming().logs().finish(log(container, 0));
                killRest(container.name());
                LOG.info("pod={} container={} exitCode={} ended", key, container.name(), exited.exitCode());
            }
        }
    }

    /// On the node's own network, only their session tells whose the children of a container are.
    private void killRest(String container) {
        if (onHostNetwork() && record.find(container).orElseThrow().now() instanceof State.Running running) {
            running.process().killSession();
        }
    }

    private boolean onHostNetwork() {
        return record.addresses().equals(node.config().addresses());
    }

    private void openLogs() {
        record.containers().stream()
                .filter(ContainerRecord::isRunning)
                .forEach(container -> node.programming().logs().open(log(container, 0)));
    }

    private Path log(ContainerRecord container, int back) {
        return node.state().log(record, container.name(), container.restarts() - back);
    }

    /// Lets the files of volumes follow what they show, and renews tokens.
    private void refresh() throws InterruptedException {
        while (true) {
            Thread.sleep(REFRESH);
            if (wish instanceof Wish.Run(Pod pod) && record.isRunning()) {
                try {
                    volumes.fill(
                            pod,
                            new DownwardFields(
                                    pod, record.addresses(), node.config().addresses()));
                } catch (NodeException | ApiException e) {
                    LOG.warn("pod={} volumes not refreshed: {}", key, e.getMessage());
                }
            }
        }
    }

    /// The pod as others may see it.
    PodView view() {
        PodRecord now = record;
        return new PodView(
                key,
                onHostNetwork() ? "" : now.names().namespace(),
                now.addresses(),
                now.containers().stream().map(this::view).toList());
    }

    private PodView.Container view(ContainerRecord container) {
        Path socket = node.state().folder(record).resolve("terminals").resolve(ContainerStart.socket(container.name()));
        long pid = container.now() instanceof State.Running running
                ? running.process().pid()
                : 0;
        return new PodView.Container(
                container.name(),
                pid,
                () -> !gone
                        && record.find(container.name())
                                .filter(ContainerRecord::isRunning)
                                .isPresent(),
                log(container, 0),
                log(container, 1),
                Files.exists(socket) ? Optional.of(socket) : Optional.empty());
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
