package io.fairlead.sync;

import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.kernel.MappedFiles;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the kernel of this node at the newest Snapshot: compile, diff, apply, forever.
///
/// It waits for the first Snapshot before it touches anything, so a restart never takes away what is programmed.
final class SyncLoop {
    private static final Logger LOG = LoggerFactory.getLogger(SyncLoop.class);

    /// How often we look whether somebody flushed our rules, where that is possible.
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration LEFTOVERS = Duration.ofMillis(300);
    private static final Duration SETTLING = Duration.ofSeconds(5);
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private final Latest<Snapshot> snapshots;
    private final NodeView node;
    private final Modes modes;
    private final FlowSweeper sweeper;
    private final HealthCheckServers healthChecks;
    private final SyncJournal journal;
    private long programmed; // when the first program was in place; 0 before
    private boolean settled;
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30), new Random());

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
        Snapshot snapshot = snapshots.take();
        ForwardingTable table = ForwardingTable.of(Snapshot.EMPTY, node.facts(snapshot));
        ForwardingTable swept = table;
        while (true) {
            journal.begun(snapshot, node.isEligible(snapshot));
            NodeFacts facts = node.facts(snapshot);
            table = table.at(snapshot, facts);
            try {
                Program<?> program = modes.sync(table, node.mode(snapshot));
                sweeper.programmed(swept, table);
                swept = table;
                healthChecks.serve(table, snapshot);
                journal.synced(table, program);
                if (programmed == 0) {
                    programmed = System.nanoTime();
                    tellOf(facts);
                }
                backoff.reset();
                snapshot = next(snapshot);
            } catch (ApplyException e) {
                Duration pause = backoff.next();
                journal.failed(modes.current().mode(), e, pause);
                snapshot = snapshots.take(pause).orElse(snapshot);
            }
        }
    }

    /// kube-proxy waits for the node's address. We need not: what depends on it is programmed when it comes.
    private static void tellOf(NodeFacts facts) {
        if (facts.addresses().isEmpty()) {
            LOG.warn("node={} address=unknown node-ports=\"closed until the cluster tells it\"", facts.name());
        }
    }

    /// Waits for a newer Snapshot; or gives the same one, when somebody changed what we programmed, or it is time to
    /// try again what failed.
    private Snapshot next(Snapshot current) throws InterruptedException {
        while (true) {
            settle();
            Optional<Snapshot> newer = snapshots.take(patience());
            if (newer.isPresent()) {
                return newer.get();
            }
            if (modes.drifted() || modes.isChangeDue()) {
                return current;
            }
        }
    }

    private Duration patience() {
        Duration usual = modes.canDrift() ? LOOK : settled ? FOR_EVER : LEFTOVERS;
        Duration retry = modes.untilRetry().orElse(FOR_EVER);
        boolean sooner = settled && retry.compareTo(usual) < 0;
        return sooner ? retry : usual;
    }

    /// What can wait until the first rush is over: clients wait for Services then.
    ///
    /// To read and program a whole cluster leaves more garbage than all later changes together, and the collector
    /// would keep the memory for it: once it is given back. So is what the start alone needed of the cache of
    /// classes.
    private void settle() {
        long nanos = System.nanoTime() - programmed;
        if (nanos > LEFTOVERS.toNanos()) {
            modes.clearOthers();
        }
        if (!settled && nanos > SETTLING.toNanos()) {
            settled = true;
            System.gc();
            MappedFiles.release(".aot");
        }
    }
}
