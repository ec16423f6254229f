package io.fairlead.store;

import io.fairlead.api.Revision;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// A store that forgets all when it ends: the shortest true implementation of the door, for tests and trials.
public final class MemoryStore implements Store {
    private final ReentrantLock writing = new ReentrantLock();
    private final MemoryHistory history = new MemoryHistory();
    private final View view = new View(new Newest(List.of(), Revision.ZERO), history, Revision.ZERO);

    @Override
    public List<Outcome> put(List<Put> puts) {
        return write(puts);
    }

    @Override
    public Outcome delete(String key, Revision expected) {
        return write(List.of(new StoreWrite.Delete(key, expected))).getFirst();
    }

    @Override
    public void compact(Revision upTo) {
        view.requireWritten(upTo);
        write(List.of(new StoreWrite.Compact(upTo)));
    }

    private List<Outcome> write(List<? extends StoreWrite> writes) {
        writing.lock();
        try {
            view.requireOpen();
            Draft draft = view.draft();
            List<Outcome> outcomes = draft.decide(writes);
            history.add(draft);
            view.publish(draft.changes(), draft.compactTo());
            return outcomes;
        } finally {
            writing.unlock();
        }
    }

    @Override
    public Optional<Stored> find(String key) {
        return view.find(key);
    }

    @Override
    public Listing list(String prefix) {
        return view.list(prefix);
    }

    @Override
    public Revision revision() {
        return view.newest();
    }

    @Override
    public Watch watch(String prefix, Revision after) {
        return view.watch(prefix, after);
    }

    @Override
    public Revision before(Revision revision, long writes) {
        return View.before(revision, writes);
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public void close() {
        view.close();
    }
}
