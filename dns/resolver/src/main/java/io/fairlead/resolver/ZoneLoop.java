package io.fairlead.resolver;

import io.fairlead.api.Snapshot;
import io.fairlead.runtime.ApplyLoop;
import io.fairlead.runtime.ApplyLoop.Reason;
import io.fairlead.runtime.Latest;
import java.time.Instant;
import java.util.function.Consumer;

/// Keeps the answers at the newest Snapshot, and measures how long a change took to reach them.
///
/// A Zone is a value in memory, which nothing refuses: whatever fails here is a bug.
final class ZoneLoop implements ApplyLoop.Work<Snapshot> {
    private final Consumer<Snapshot> answers;
    private final ProgrammingTimes times;
    private Snapshot before = Snapshot.EMPTY;

    ZoneLoop(Consumer<Snapshot> answers, ProgrammingTimes times) {
        this.answers = answers;
        this.times = times;
    }

    void run(Latest<Snapshot> snapshots) throws InterruptedException {
        new ApplyLoop<>(snapshots, this).run();
    }

    @Override
    public void apply(Snapshot snapshot, Reason reason) {
        answers.accept(snapshot);
        times.answered(before, snapshot, Instant.now());
        before = snapshot;
    }
}
