package io.fairlead.proxy;

import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Keeps the kernel of this node at the newest Snapshot: compile, diff, apply, forever.
///
/// What is known of the cluster and of the kernel is local to the loop. It waits for the first Snapshot before it
/// touches anything, so a restart never takes away what is programmed.
final class SyncLoop<E extends Entry> {
    private final Latest<Snapshot> snapshots;
    private final Backend<E> backend;
    private final NodeFacts node;
    private final SyncJournal journal;
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30), new Random());

    SyncLoop(Latest<Snapshot> snapshots, Backend<E> backend, NodeFacts node, SyncJournal journal) {
        this.snapshots = snapshots;
        this.backend = backend;
        this.node = node;
        this.journal = journal;
    }

    void run() throws InterruptedException {
        Snapshot snapshot = snapshots.take();
        ForwardingTable table = ForwardingTable.of(Snapshot.EMPTY, node);
        Program<E> wanted = Program.of(backend, table);
        @Nullable Program<E> applied = null;
        while (true) {
            journal.begun(snapshot);
            table = table.at(snapshot);
            wanted = wanted.at(table, backend);
            try {
                applied = apply(applied == null ? backend.baseline() : applied, wanted);
                journal.synced(table, wanted);
                backoff.reset();
                snapshot = snapshots.take();
            } catch (ApplyException e) {
                applied = null; // we no longer know what the kernel took
                Duration pause = backoff.next();
                journal.failed(e, pause);
                snapshot = snapshots.take(pause).orElse(snapshot);
            }
        }
    }

    private Program<E> apply(Program<E> applied, Program<E> wanted) {
        Patch<E> patch = Patch.between(applied, wanted);
        if (!patch.isEmpty()) {
            backend.apply(patch);
        }
        return wanted;
    }
}
