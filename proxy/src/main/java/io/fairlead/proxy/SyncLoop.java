package io.fairlead.proxy;

import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.Program;
import io.fairlead.kernel.MappedFiles;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/// Keeps the kernel of this node at the newest Snapshot: compile, diff, apply, forever.
///
/// It waits for the first Snapshot before it touches anything, so a restart never takes away what is programmed.
final class SyncLoop {
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
            table = table.at(snapshot, node.facts(snapshot));
            try {
                Program<?> program = modes.sync(
                        table, node.mode(snapshot).orElse(modes.current().mode()));
                sweeper.programmed(swept, table);
                swept = table;
                healthChecks.serve(table);
                journal.synced(table, program);
                programmed = programmed == 0 ? System.nanoTime() : programmed;
                backoff.reset();
                snapshot = next(snapshot);
            } catch (ApplyException e) {
                Duration pause = backoff.next();
                journal.failed(modes.current().mode(), e, pause);
                snapshot = snapshots.take(pause).orElse(snapshot);
            }
        }
    }

    /// Waits for a newer Snapshot; or gives the same one, when somebody changed what we programmed.
    private Snapshot next(Snapshot current) throws InterruptedException {
        while (true) {
            settle();
            Duration patience = modes.canDrift() ? LOOK : settled ? FOR_EVER : LEFTOVERS;
            Optional<Snapshot> newer = snapshots.take(patience);
            if (newer.isPresent()) {
                return newer.get();
            }
            if (modes.drifted()) {
                return current;
            }
        }
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
