package io.fairlead.http;

import io.fairlead.api.Revision;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// A store whose faults a test switches on and off.
final class FaultyStore implements Store {
    private final Store store;
    private volatile String failingDeletes = "none";
    private volatile boolean cutOff;
    private volatile @Nullable CountDownLatch held;

    FaultyStore(Store store) {
        this.store = store;
    }

    /// From now on no key that starts with `prefix` can be deleted.
    void failDeletes(String prefix) {
        failingDeletes = prefix;
    }

    /// From now on nothing answers.
    void cutOff() {
        cutOff = true;
    }

    /// From now on watches tell of nothing, until the latch opens.
    CountDownLatch holdWatches() {
        CountDownLatch latch = new CountDownLatch(1);
        held = latch;
        return latch;
    }

    private void requireReachable() {
        if (cutOff) {
            throw new StoreException("cut off by the test");
        }
    }

    @Override
    public List<Outcome> put(List<Put> puts) {
        requireReachable();
        return store.put(puts);
    }

    @Override
    public Outcome delete(String key, Revision expected) {
        requireReachable();
        if (key.startsWith(failingDeletes)) {
            throw new StoreException("no delete of " + key + " now");
        }
        return store.delete(key, expected);
    }

    @Override
    public Optional<Stored> find(String key) {
        requireReachable();
        return store.find(key);
    }

    @Override
    public Listing list(String prefix) {
        requireReachable();
        return store.list(prefix);
    }

    @Override
    public Revision revision() {
        requireReachable();
        return store.revision();
    }

    @Override
    public Watch watch(String prefix, Revision after) {
        Watch watch = store.watch(prefix, after);
        return new Watch() {
            @Override
            public Optional<Batch> next() throws InterruptedException {
                Optional<Batch> batch = watch.next();
                CountDownLatch latch = held;
                if (latch != null) {
                    latch.await();
                }
                return batch;
            }

            @Override
            public void close() {
                watch.close();
            }
        };
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
    public void close() {
        store.close();
    }
}
