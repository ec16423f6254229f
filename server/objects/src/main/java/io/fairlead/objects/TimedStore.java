package io.fairlead.objects;

import io.fairlead.api.Revision;
import io.fairlead.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// A store whose writes are timed; it stays its owner's to close.
public record TimedStore(Store store, Observer observer) implements Store {
    /// Gets the time that each write took.
    public interface Observer {
        void wrote(String operation, String resource, long nanos);
    }

    @Override
    public List<Outcome> put(List<Put> puts) {
        Put last = puts.getLast(); // the others are for its sake
        String operation = last.expected().equals(Revision.ZERO) ? "create" : "update";
        return timed(operation, last.key(), () -> store.put(puts));
    }

    @Override
    public Outcome delete(String key, Revision expected) {
        return timed("delete", key, () -> store.delete(key, expected));
    }

    private <T> T timed(String operation, String key, Supplier<T> write) {
        long begin = System.nanoTime();
        try {
            return write.get();
        } finally {
            observer.wrote(operation, StoreKey.prefix(key), System.nanoTime() - begin);
        }
    }

    @Override
    public Optional<Stored> find(String key) {
        return store.find(key);
    }

    @Override
    public Listing list(String prefix) {
        return store.list(prefix);
    }

    @Override
    public Revision revision() {
        return store.revision();
    }

    @Override
    public Watch watch(String prefix, Revision after) {
        return store.watch(prefix, after);
    }

    @Override
    public Revision before(Revision revision, long writes) {
        return store.before(revision, writes);
    }

    @Override
    public void compact(Revision upTo) {
        store.compact(upTo);
    }

    @Override
    public boolean isShared() {
        return store.isShared();
    }

    @Override
    public Optional<String> trouble() {
        return store.trouble();
    }

    @Override
    public void close() {}
}
