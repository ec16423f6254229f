package io.fairlead.runner;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.runtime.ApplyLoop;
import io.fairlead.runtime.ApplyLoop.Reason;
import io.fairlead.runtime.Latest;
import io.fairlead.runtime.TaskFaults;
import io.fairlead.runtime.TaskGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs one controller: looks at what changed, carries out what it wants, and looks again until nothing is left.
///
/// An object that was written is not looked at again until a Snapshot shows the writes. One whose writes failed waits
/// longer each time; a conflict or an absence only means that the Snapshot was old.
public final class ControllerRunner {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerRunner.class);

    /// How much is written for one object before it is looked at again.
    private static final int MAX_WRITES = 100;

    /// How many objects are looked at before we see whether there is a newer Snapshot.
    private static final int MAX_LOOKS = 100;

    /// After that long without a sight of what we created, we ask whether it still exists.
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /// So much of a time without a look counts, and no more: this program may have stood still.
    private static final Duration LONGEST_STEP = Duration.ofSeconds(6);

    private final Controller controller;
    private final Latest<Snapshot> snapshots;
    private final WriteApplier applier;
    private final Duration patience;
    private final WorkQueue queue = new WorkQueue(RandomGenerator.getDefault());
    private final Expectations unseen = new Expectations();
    private Moment moment = Moment.start(Instant.now());
    private Optional<TaskFaults> faults = Optional.empty();
    private Snapshot seen = Snapshot.EMPTY;
    private long lastRound = System.nanoTime();
    private long asked = System.nanoTime();

    public ControllerRunner(Controller controller, Latest<Snapshot> snapshots, ApiClient client) {
        this(controller, snapshots, client, PATIENCE);
    }

    /// Runs it as a task of a program: it begins again when it fails, and a fault of one object is one of the program.
    public static void keep(Controller controller, Latest<Snapshot> snapshots, ApiClient client, TaskGroup tasks) {
        tasks.keep(controller.name(), () -> {
            snapshots.again();
            ControllerRunner runner = new ControllerRunner(controller, snapshots, client);
            runner.faults = Optional.of(tasks.faults());
            runner.run();
        });
    }

    public ControllerRunner(Controller controller, Latest<Snapshot> snapshots, ApiClient client, Duration patience) {
        this.controller = controller;
        this.snapshots = snapshots;
        this.applier = new WriteApplier(client);
        this.patience = patience;
    }

    /// Runs until it is interrupted.
    public void run() throws InterruptedException {
        new ApplyLoop<>(snapshots, new Rounds()).run();
    }

    private final class Rounds implements ApplyLoop.Work<Snapshot> {
        /// What one object's writes met is that object's alone: the queue brings it back, and the round goes on.
        @Override
        public void apply(Snapshot newer, Reason reason) throws InterruptedException {
            letTimePass();
            if (reason == Reason.NEWER_VALUE) {
                see(newer);
            }
            askForCreated();
            lookAtDue();
        }

        @Override
        public Duration patience() {
            return queue.untilDue(System.nanoTime(), patience);
        }

        @Override
        public Optional<Reason> look() {
            return Optional.of(Reason.TIME);
        }
    }

    private void see(Snapshot newer) {
        moment = moment.seeing(seen, newer);
        queue.add(controller.changed(seen, newer), System.nanoTime());
        seen = newer;
        queue.add(unseen.seenIn(seen), System.nanoTime());
    }

    // A wait is never longer than our patience: what is beyond was no time in which we could have heard of any object.
    private void letTimePass() {
        Duration passed = Duration.ofNanos(System.nanoTime() - lastRound);
        lastRound = System.nanoTime();
        moment = moment.later(Instant.now(), passed.compareTo(LONGEST_STEP) < 0 ? passed : LONGEST_STEP);
    }

    private void lookAtDue() throws InterruptedException {
        for (NamespacedName object : queue.takeDue(System.nanoTime(), MAX_LOOKS)) {
            if (!unseen.isWaiting(object)) { // else it comes back by itself
                look(object, seen);
            }
        }
    }

    private void look(NamespacedName object, Snapshot now) throws InterruptedException {
        List<Expectation> sightings = new ArrayList<>();
        try {
            for (Write write : controller.reconcile(object, now, moment).stream()
                    .limit(MAX_WRITES)
                    .toList()) {
                sightings.add(applier.apply(write));
            }
            queue.succeeded(object);
            controller
                    .nextLook(object, now, moment)
                    .ifPresent(wait -> queue.wake(object, System.nanoTime() + wait.toNanos()));
        } catch (ApiException e) {
            failed(object, e);
        } catch (RuntimeException e) { // a fault of ours: this object waits, and all others go on
            faults.ifPresentOrElse(
                    known -> known.ended("object", controller.name() + "/" + object, e),
                    () -> LOG.error("event=failed controller={} object={}", controller.name(), object, e));
            queue.failed(object, System.nanoTime());
        }
        sightings.removeIf(Expectation.Reported.class::isInstance); // no Snapshot shows an Event
        unseen.add(object, sightings);
    }

    private void failed(NamespacedName object, ApiException e) {
        if (e.isConflict() || e.isNotFound()) {
            LOG.debug(
                    "event=outdated controller={} object={} reason=\"{}\"", controller.name(), object, e.getMessage());
        } else {
            LOG.warn("event=failed controller={} object={} reason=\"{}\"", controller.name(), object, e.getMessage());
        }
        queue.failed(object, System.nanoTime());
    }

    // What was created and deleted again before any Snapshot showed it would be waited for in vain.
    private void askForCreated() throws InterruptedException {
        if (System.nanoTime() - asked < patience.toNanos()) {
            return;
        }
        asked = System.nanoTime();
        try {
            for (Expectation created : unseen.created()) {
                if (applier.isAbsent(created)) {
                    queue.add(unseen.forget(created), System.nanoTime());
                }
            }
        } catch (ApiException e) {
            LOG.debug(
                    "event=unanswered controller={} reason=\"{}\"",
                    controller.name(),
                    e.getMessage()); // and will ask again
        }
    }
}
