package io.fairlead.apiserver;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import io.fairlead.store.CompactedException;
import io.fairlead.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The whole store in memory, kept up by one watch: every list and every watch is served from here.
final class WatchCache {
    private static final Logger LOG = LoggerFactory.getLogger(WatchCache.class);

    private final Store store;
    private final Map<String, KindCache> byPrefix = new LinkedHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition advanced = lock.newCondition();
    private volatile Revision revision = Revision.ZERO;

    WatchCache(Store store, List<Kind> kinds) {
        this.store = store;
        kinds.forEach(kind -> byPrefix.put(StoreKey.prefix(kind), new KindCache(kind, this::revision)));
    }

    KindCache of(Kind kind) {
        KindCache cache = byPrefix.get(StoreKey.prefix(kind));
        if (cache == null) {
            throw new IllegalArgumentException("not a kind of this server: " + kind);
        }
        return cache;
    }

    /// All changes up to this one have been applied.
    Revision revision() {
        return revision;
    }

    /// Reads the state of the store, and forgets what was here.
    void load() {
        Store.Listing listing = store.list("");
        Map<KindCache, List<ApiObject>> objects = new HashMap<>();
        byPrefix.values().forEach(cache -> objects.put(cache, new ArrayList<>()));
        for (Store.Stored stored : listing.items()) {
            KindCache cache = byPrefix.get(StoreKey.prefix(stored.key()));
            if (cache != null) {
                objects.getOrDefault(cache, List.of()).add(object(cache, stored));
            }
        }
        objects.forEach((cache, items) -> cache.reset(items, listing.revision()));
        advance(listing.revision());
        LOG.info("cache loaded objects={} revision={}", listing.items().size(), listing.revision());
    }

    /// Follows the store, until interrupted. A watch that ends (we were too slow for it) is taken up where it was.
    void follow() throws InterruptedException {
        while (true) {
            try (Store.Watch watch = store.watch("", revision)) {
                for (var batch = watch.next(); batch.isPresent(); batch = watch.next()) {
                    batch.get().changes().forEach(this::apply);
                    advance(batch.get().upTo());
                }
            } catch (CompactedException e) {
                LOG.warn("cache fell behind the store: {}", e.getMessage());
                load();
            }
        }
    }

    /// Waits until the change of `wanted` can be read here; false if that takes longer than `patience`.
    boolean awaitRevision(Revision wanted, Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        lock.lockInterruptibly();
        try {
            while (wanted.isAfter(revision)) {
                if (left <= 0) {
                    return false;
                }
                left = advanced.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Ends all watches.
    void end() {
        byPrefix.values().forEach(KindCache::end);
    }

    private void apply(Store.Change change) {
        KindCache cache = byPrefix.get(StoreKey.prefix(change.key()));
        if (cache == null) {
            return;
        }
        switch (change) {
            case Store.Change.Put put -> cache.put(object(cache, put.stored()));
            // The key holds the name in lower case; the object knows how it is spelled.
            case Store.Change.Delete delete ->
                delete.previous()
                        .ifPresent(last -> cache.delete(object(cache, last).key(), delete.revision()));
        }
    }

    private static ApiObject object(KindCache cache, Store.Stored stored) {
        return ApiObject.of(cache.kind(), Json.parse(stored.value()), stored.revision());
    }

    private void advance(Revision to) {
        lock.lock();
        try {
            revision = to;
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
