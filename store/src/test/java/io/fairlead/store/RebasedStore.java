package io.fairlead.store;

import io.fairlead.api.Revision;
import java.util.List;
import java.util.Optional;

/// A store whose revisions are counted from when it was opened, so that one contract fits a store that others have
/// used before.
record RebasedStore(Store store, long base) implements Store {
    static RebasedStore of(Store store) {
        return new RebasedStore(store, store.list("").revision().value());
    }

    private Revision real(Revision told) {
        return new Revision(told.value() + base);
    }

    /// Zero says that there is none, in both.
    private Revision realOrNone(Revision told) {
        return told.equals(Revision.ZERO) ? told : real(told);
    }

    private Revision told(Revision real) {
        return new Revision(Math.max(0, real.value() - base));
    }

    private Outcome told(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done(var revision) -> new Outcome.Done(told(revision));
            case Outcome.Conflict(var actual) -> new Outcome.Conflict(told(actual));
        };
    }

    private Stored told(Stored stored) {
        return new Stored(stored.key(), stored.value(), told(stored.revision()));
    }

    private Change told(Change change) {
        Optional<Stored> previous = change.previous().map(this::told);
        return switch (change) {
            case Change.Put(var stored, var _) -> new Change.Put(told(stored), previous);
            case Change.Delete(var key, var revision, var _) -> new Change.Delete(key, told(revision), previous);
        };
    }

    @Override
    public Outcome put(String key, byte[] value, Revision expected) {
        return told(store.put(key, value, realOrNone(expected)));
    }

    @Override
    public Outcome delete(String key, Revision expected) {
        return told(store.delete(key, realOrNone(expected)));
    }

    @Override
    public Optional<Stored> find(String key) {
        return store.find(key).map(this::told);
    }

    @Override
    public Listing list(String prefix) {
        Listing listing = store.list(prefix);
        return new Listing(listing.items().stream().map(this::told).toList(), told(listing.revision()));
    }

    @Override
    public Revision revision() {
        return told(store.revision());
    }

    @Override
    public Watch watch(String prefix, Revision after) {
        try {
            Watch watch = store.watch(prefix, real(after));
            return new Watch() {
                @Override
                public Optional<Batch> next() throws InterruptedException {
                    return watch.next().map(batch -> {
                        List<Change> changes = batch.changes().stream()
                                .map(RebasedStore.this::told)
                                .toList();
                        return new Batch(changes, told(batch.upTo()));
                    });
                }

                @Override
                public void close() {
                    watch.close();
                }
            };
        } catch (CompactedException e) {
            throw new CompactedException(told(e.asked()), told(e.compacted()));
        }
    }

    @Override
    public void compact(Revision upTo) {
        store.compact(real(upTo));
    }

    @Override
    public boolean isShared() {
        return store.isShared();
    }

    @Override
    public void close() {
        store.close();
    }
}
