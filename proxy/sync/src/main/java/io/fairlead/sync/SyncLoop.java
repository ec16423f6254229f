package io.fairlead.sync;

import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.runtime.ApplyLoop;
import io.fairlead.runtime.ApplyLoop.Reason;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the kernel of this node at the newest Snapshot: compile, diff, apply, forever.
///
/// It waits for the first Snapshot before it touches anything, so a restart never takes away what is programmed.
final class SyncLoop implements ApplyLoop.Work<Snapshot> {
    private static final Logger LOG = LoggerFactory.getLogger(SyncLoop.class);

    /// How often we look whether another program changed our rules, where that is possible.
    private static final Duration LOOK = Duration.ofMillis(100);

    /// When what other modes left is first looked for: clients wait for Services before that.
    private static final Duration LEFTOVERS = Duration.ofMillis(300);

    private final Latest<Snapshot> snapshots;
    private final NodeView node;
    private final Modes modes;
    private final FlowSweeper sweeper;
    private final HealthCheckServers healthChecks;
    private final SyncJournal journal;
    private ForwardingTable table;
    private ForwardingTable swept; // what the kernel had after the last round that succeeded
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
        this.table = ForwardingTable.of(Snapshot.EMPTY, node.facts(Snapshot.EMPTY));
        this.swept = table;
    }

    void run() throws InterruptedException {
        new ApplyLoop<>(snapshots, this).run();
    }

    @Override
    public void apply(Snapshot snapshot, Reason reason) {
        LOG.debug("event=round-begins reason={} revision={}", reason, snapshot.revision());
        journal.begun(snapshot, node.isEligible(snapshot));
        NodeFacts facts = node.facts(snapshot);
        table = table.at(snapshot, facts);
        LayeredProgram program = modes.sync(table, node.mode(snapshot));
        sweeper.programmed(swept, table);
        swept = table;
        healthChecks.serve(table, snapshot);
        journal.synced(table, program);
        if (firstProgrammed.isEmpty()) {
            firstProgrammed = Optional.of(System.nanoTime());
            warnOfMissingAddress(facts);
        }
    }

    @Override
    public boolean isRefusal(RuntimeException failure) {
        return failure instanceof ApplyException;
    }

    @Override
    public void refused(RuntimeException refusal, Duration pause) {
        journal.failed(modes.current().mode(), refusal, pause);
    }

    /// kube-proxy waits for the node's address. We need not: what depends on it is programmed when it comes.
    private static void warnOfMissingAddress(NodeFacts facts) {
        if (facts.addresses().isEmpty()) {
            LOG.warn(
                    "event=node-address-unknown node={} effect=\"node ports stay closed until the Node has one\"",
                    facts.name());
        }
    }

    @Override
    public Duration patience() {
        Optional<Duration> look = modes.current().canDrift() ? Optional.of(LOOK) : Optional.empty();
        Optional<Duration> retry = isRush() ? Optional.of(LEFTOVERS) : modes.untilRetry();
        return Stream.of(look, retry, modes.nextLook())
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder())
                .orElse(Latest.FOR_EVER);
    }

    @Override
    public Optional<Reason> look() {
        if (!isRush()) {
            modes.clearOthers();
        }
        if (modes.drifted()) {
            journal.drifted(modes.current());
            return Optional.of(Reason.DRIFT);
        }
        if (modes.isChangeDue()) {
            return Optional.of(Reason.RETRY);
        }
        if (modes.nextLook().filter(Duration::isZero).isPresent()) {
            modes.look();
        }
        return Optional.empty();
    }

    /// Whether the first program has only just been made.
    private boolean isRush() {
        return firstProgrammed
                .filter(time -> System.nanoTime() - time > LEFTOVERS.toNanos())
                .isEmpty();
    }
}
