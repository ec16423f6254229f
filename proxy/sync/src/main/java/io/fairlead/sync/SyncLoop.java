package io.fairlead.sync;

import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the kernel of this node at the newest Snapshot: compile, diff, apply, forever.
///
/// It waits for the first Snapshot before it touches anything, so a restart never takes away what is programmed.
final class SyncLoop {
    private static final Logger LOG = LoggerFactory.getLogger(SyncLoop.class);

    /// How often we look whether another program changed our rules, where that is possible.
    private static final Duration LOOK = Duration.ofMillis(100);

    /// When what other modes left is first looked for: clients wait for Services before that.
    private static final Duration LEFTOVERS = Duration.ofMillis(300);

    /// Why a round begins.
    enum Reason {
        /// The cluster changed.
        NEWER_SNAPSHOT,
        /// Another program changed what we programmed.
        DRIFT,
        /// The cluster wants another mode, and it is time to try it again.
        MODE_CHANGE,
        /// The last round failed, and its pause is over.
        RETRY
    }

    /// What a round works on, and why it begins.
    private record Round(Snapshot snapshot, Reason reason) {}

    private final Latest<Snapshot> snapshots;
    private final NodeView node;
    private final Modes modes;
    private final FlowSweeper sweeper;
    private final HealthCheckServers healthChecks;
    private final SyncJournal journal;
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30), new Random());
    private Optional<Long> firstProgrammed = Optional.empty(); // by System.nanoTime

    SyncLoop(
            Latest<Snapshot> snapshots,
            NodeView node,
            Modes modes,
            FlowSweeper sweeper,
            HealthCheckServers healthChecks,
            SyncJournal journal) {
        this.snapshots = snapshots;
        this.node = node;
        this.modes = modes;
        this.sweeper = sweeper;
        this.healthChecks = healthChecks;
        this.journal = journal;
    }

    void run() throws InterruptedException {
        Round round = new Round(snapshots.take(), Reason.NEWER_SNAPSHOT);
        ForwardingTable table = ForwardingTable.of(Snapshot.EMPTY, node.facts(round.snapshot));
        ForwardingTable swept = table;
        while (true) {
            Snapshot snapshot = round.snapshot;
            LOG.debug("event=round-begins reason={} revision={}", round.reason, snapshot.revision());
            journal.begun(snapshot, node.isEligible(snapshot));
            NodeFacts facts = node.facts(snapshot);
            table = table.at(snapshot, facts);
            try {
                LayeredProgram program = modes.sync(table, node.mode(snapshot));
                sweeper.programmed(swept, table);
                swept = table;
                healthChecks.serve(table, snapshot);
                journal.synced(table, program);
                if (firstProgrammed.isEmpty()) {
                    firstProgrammed = Optional.of(System.nanoTime());
                    warnOfMissingAddress(facts);
                }
                backoff.reset();
                round = next(snapshot);
            } catch (ApplyException e) {
                Duration pause = backoff.next();
                journal.failed(modes.current().mode(), e, pause);
                round = snapshots
                        .take(pause)
                        .map(newer -> new Round(newer, Reason.NEWER_SNAPSHOT))
                        .orElse(new Round(snapshot, Reason.RETRY));
            }
        }
    }

    /// kube-proxy waits for the node's address. We need not: what depends on it is programmed when it comes.
    private static void warnOfMissingAddress(NodeFacts facts) {
        if (facts.addresses().isEmpty()) {
            LOG.warn(
                    "event=node-address-unknown node={} effect=\"node ports stay closed until the Node has one\"",
                    facts.name());
        }
    }

    /// Waits for what begins the next round.
    private Round next(Snapshot current) throws InterruptedException {
        while (true) {
            if (!isRush()) {
                modes.clearOthers();
            }
            Optional<Snapshot> newer = snapshots.take(patience());
            if (newer.isPresent()) {
                return new Round(newer.get(), Reason.NEWER_SNAPSHOT);
            }
            if (modes.drifted()) {
                journal.drifted(modes.current());
                return new Round(current, Reason.DRIFT);
            }
            if (modes.isChangeDue()) {
                return new Round(current, Reason.MODE_CHANGE);
            }
            if (modes.current().nextLook().filter(Duration::isZero).isPresent()) {
                modes.current().look();
            }
        }
    }

    /// How long nothing but a newer Snapshot can begin a round.
    private Duration patience() {
        Optional<Duration> look = modes.current().canDrift() ? Optional.of(LOOK) : Optional.empty();
        Optional<Duration> retry = isRush() ? Optional.of(LEFTOVERS) : modes.untilRetry();
        return Stream.of(look, retry, modes.current().nextLook())
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder())
                .orElse(Latest.FOR_EVER);
    }

    /// Whether the first program has only just been made.
    private boolean isRush() {
        return firstProgrammed
                .filter(time -> System.nanoTime() - time > LEFTOVERS.toNanos())
                .isEmpty();
    }
}
