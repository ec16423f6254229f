package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Batch;
import io.fairlead.store.Store.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The history as a list: revisions have no gap, so that the change of a revision is at a known index.
final class MemoryHistory implements History {
    private static final int PAGE = 1_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Change> changes = new ArrayList<>();
    private long compacted;

    void add(Draft draft) {
        lock.lock();
        try {
            changes.addAll(draft.changes());
            compact(draft.compactTo().value());
        } finally {
            lock.unlock();
        }
    }

    private void compact(long upTo) {
        if (upTo > compacted) {
            changes.subList(0, (int) (upTo - compacted)).clear();
            compacted = upTo;
        }
    }

    @Override
    public Optional<Batch> page(Revision after, Revision upTo) {
        lock.lock();
        try {
            if (after.value() < compacted) {
                return Optional.empty();
            }
            int from = (int) (after.value() - compacted);
            int to = (int) Math.min(from + PAGE, upTo.value() - compacted);
            return Optional.of(new Batch(List.copyOf(changes.subList(from, to)), new Revision(compacted + to)));
        } finally {
            lock.unlock();
        }
    }
}
