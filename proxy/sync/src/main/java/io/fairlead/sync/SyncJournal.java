package io.fairlead.sync;

import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ForwardingTable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the [SyncLoop] tells about its rounds, for health, metrics, dumps, the log and node agents.
///
/// One loop writes; any number of threads read what comes of it.
final class SyncJournal {
    private static final Logger LOG = LoggerFactory.getLogger(SyncJournal.class);

    /// What stands in the kernel since the last round that succeeded.
    record Synced(Instant time, Snapshot snapshot, ForwardingTable table, LayeredProgram program) {}

    private final InstantSource clock;
    private final Instant started;
    private final Health health;
    private final SyncMetrics metrics;
    private final Acknowledgements acknowledgements;
    private final NoteReport notes;
    private final DriftReport drift;
    private final AtomicReference<Optional<Synced>> last = new AtomicReference<>(Optional.empty());

    // Of the loop alone.
    private Snapshot snapshot = Snapshot.EMPTY;
    private Instant begun = Instant.EPOCH;
    private boolean failing;

    /// Where it reports to.
    record Readers(
            Health health,
            SyncMetrics metrics,
            Acknowledgements acknowledgements,
            NoteReport notes,
            DriftReport drift) {}

    SyncJournal(InstantSource clock, Readers readers) {
        this.clock = clock;
        this.started = clock.instant();
        this.health = readers.health();
        this.metrics = readers.metrics();
        this.acknowledgements = readers.acknowledgements();
        this.notes = readers.notes();
        this.drift = readers.drift();
    }

    void begun(Snapshot newer, boolean nodeEligible) {
        health.nodeEligible(nodeEligible);
        snapshot = newer;
        begun = clock.instant();
        health.pending(begun);
        metrics.begun(last().map(Synced::snapshot).orElse(Snapshot.EMPTY), newer, begun);
    }

    void synced(ForwardingTable table, LayeredProgram program) {
        Instant now = clock.instant();
        Snapshot before = last().map(Synced::snapshot).orElse(snapshot);
        boolean everything = last().isEmpty() || failing;
        if (everything) {
            LOG.info(
                    "event=synced services={} entries={} revision={}",
                    table.rows().size(),
                    program.size(),
                    snapshot.revision());
        }
        failing = false;
        acknowledgements.programmed(last().map(Synced::snapshot).orElse(Snapshot.EMPTY), snapshot);
        last.set(Optional.of(new Synced(now, snapshot, table, program)));
        health.synced(now);
        notes.synced(program, snapshot);
        drift.synced(snapshot);
        metrics.synced(Duration.between(begun, now), now, program.size(), everything);
        NetworkProgramming.delays(before, snapshot, started, now).forEach(metrics::programmed);
    }

    /// Another program changed what the mode programmed; the next round puts it right.
    void drifted(Layers layers) {
        drift.seen(layers.mode().name(), layers.findings());
    }

    void failed(Mode mode, RuntimeException failure, Duration pause) {
        LOG.warn("event=sync-failed retry={}ms reason=\"{}\"", pause.toMillis(), failure.getMessage());
        LOG.debug("event=sync-failed", failure);
        metrics.failed(mode, last().isEmpty() || failing);
        failing = true;
    }

    /// The last round that succeeded; nothing before the first.
    Optional<Synced> last() {
        return last.get();
    }
}
