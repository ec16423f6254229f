package io.fairlead.http;

import io.fairlead.api.Revision;
import io.fairlead.store.MemoryStore;
import io.fairlead.store.Store;
import java.util.List;
import java.util.Optional;

/// A store in memory that several servers share, as they share an etcd; it ends with the test.
record SharedStore(Store store) implements Store {
    SharedStore() {
        this(new MemoryStore());
    }

    @Override
    public List<Outcome> put(List<Put> puts) {
        return store.put(puts);
    }

    @Override
    public Outcome delete(String key, Revision expected) {
        return store.delete(key, expected);
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
        return true;
    }

    /// The other servers still need it.
    @Override
    public void close() {}
}
