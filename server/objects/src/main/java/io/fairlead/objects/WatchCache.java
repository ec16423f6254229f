package io.fairlead.objects;

import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import io.fairlead.runtime.Backoff;
import io.fairlead.store.CompactedException;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The whole store in memory, kept up by one watch: every list and every watch is served from here.
public final class WatchCache {
    private static final Logger LOG = LoggerFactory.getLogger(WatchCache.class);

    private static final Duration CATCH_UP = Duration.ofSeconds(3);
    private static final Duration TICK = Duration.ofMillis(250);

    private final Store store;
    private final Map<String, KindCache> byPrefix = new LinkedHashMap<>();
    private final Map<Kind, KindCache> byKind = new HashMap<>();
    private final RevisionMark mark = new RevisionMark();

    public WatchCache(Store store, List<Kind> kinds) {
        this.store = store;
        for (Kind kind : kinds) {
            KindCache cache = new KindCache(kind, this::revision);
            byPrefix.put(StoreKey.prefix(kind), cache);
            byKind.put(kind, cache);
        }
    }

    public KindCache of(Kind kind) {
        KindCache cache = byKind.get(kind);
        if (cache == null) {
            throw new IllegalArgumentException("not a kind of this server: " + kind);
        }
        return cache;
    }

    public Collection<KindCache> kinds() {
        return byPrefix.values();
    }

    /// All changes up to this one have been applied.
    public Revision revision() {
        return mark.revision();
    }

    /// Reads the state of the store and what it knows of the changes before; forgets what was here.
    public void load() throws InterruptedException {
        Store.Listing listing = store.list("");
        CachePast past = CachePast.read(store, reached(listing.revision()));
        Map<String, ApiObject> newest = new HashMap<>();
        for (Store.Stored stored : listing.items()) {
            cacheOf(stored.key()).ifPresent(cache -> newest.put(stored.key(), object(cache, stored)));
        }
        reset(new KindCache.Listing(List.copyOf(newest.values()), listing.revision()), past, newest);
        advance(listing.revision());
        LOG.info(
                "event=cache-loaded objects={} changes={} revision={}",
                newest.size(),
                past.changes().size(),
                listing.revision());
    }

    /// The revision of a list may be one that no watch brings, unless the store sees to it.
    private Revision reached(Revision revision) {
        Revision newest = store.revision();
        return newest.isAfter(revision) ? revision : newest;
    }

    private void reset(KindCache.Listing state, CachePast past, Map<String, ApiObject> newest) {
        Map<KindCache, List<ApiObject>> objects = new HashMap<>();
        for (ApiObject object : state.items()) {
            objects.computeIfAbsent(of(object.kind()), cache -> new ArrayList<>())
                    .add(object);
        }
        Map<KindCache, List<CacheEvent>> events = events(past, newest);
        for (KindCache cache : byPrefix.values()) {
            cache.reset(
                    new KindCache.Listing(objects.getOrDefault(cache, List.of()), state.revision()),
                    new KindCache.Past(events.getOrDefault(cache, List.of()), past.after()));
        }
    }

    private Map<KindCache, List<CacheEvent>> events(CachePast past, Map<String, ApiObject> newest) {
        Map<KindCache, List<CacheEvent>> events = new HashMap<>();
        Map<String, ApiObject> before = new HashMap<>();
        for (Store.Change change : past.changes()) {
            cacheOf(change.key()).ifPresent(cache -> {
                CacheEvent event =
                        event(change, stored -> known(stored, before, newest).orElseGet(() -> object(cache, stored)));
                event.current().ifPresent(object -> before.put(change.key(), object));
                events.computeIfAbsent(cache, kind -> new ArrayList<>()).add(event);
            });
        }
        return events;
    }

    /// Most of the past is still the present, or was just told: then the object is there already.
    private static Optional<ApiObject> known(
            Store.Stored stored, Map<String, ApiObject> before, Map<String, ApiObject> newest) {
        return Stream.of(before, newest)
                .flatMap(objects -> Optional.ofNullable(objects.get(stored.key())).stream())
                .filter(object -> object.revision().equals(stored.revision()))
                .findFirst();
    }

    private static CacheEvent event(Store.Change change, Function<Store.Stored, ApiObject> read) {
        @Nullable ApiObject previous = change.previous().map(read).orElse(null);
        return switch (change) {
            case Store.Change.Put(var stored, var _) -> CacheEvent.put(previous, read.apply(stored));
            case Store.Change.Delete delete -> CacheEvent.delete(Objects.requireNonNull(previous), delete.revision());
        };
    }

    private Optional<KindCache> cacheOf(String key) {
        return Optional.ofNullable(byPrefix.get(StoreKey.prefix(key)));
    }

    /// Follows the store, until interrupted. A watch that ends (we were too slow for it) or breaks (the store is
    /// away) is taken up where it was.
    public void follow() throws InterruptedException {
        Backoff backoff = new Backoff(Duration.ofMillis(20), Duration.ofSeconds(1), ThreadLocalRandom.current());
        boolean waiting = false;
        while (true) {
            try {
                followOnce();
                backoff.reset();
                waiting = false;
            } catch (CompactedException e) {
                LOG.warn("event=cache-behind reason=\"{}\"", e.getMessage());
                reload();
            } catch (StoreException e) {
                if (!waiting) { // once, however long the store is away
                    LOG.warn("event=cache-waiting revision={} reason=\"{}\"", revision(), e.getMessage());
                }
                waiting = true;
                Thread.sleep(backoff.next());
            }
        }
    }

    private void followOnce() throws InterruptedException {
        try (Store.Watch watch = store.watch("", revision())) {
            for (var batch = watch.next(); batch.isPresent(); batch = watch.next()) {
                batch.get().changes().forEach(this::apply);
                advance(batch.get().upTo());
            }
        }
    }

    private void reload() throws InterruptedException {
        try {
            load();
        } catch (StoreException e) {
            LOG.warn("event=cache-reload-failed reason=\"{}\"", e.getMessage());
            Thread.sleep(Duration.ofSeconds(1));
        }
    }

    /// Waits until everything can be read here that a client was answered before this call, by this server or another.
    public void awaitNewest() throws InterruptedException {
        Revision newest = store.revision();
        if (!awaitRevision(newest, CATCH_UP)) {
            throw StatusException.unavailable(
                    "the store is at revision %s, this server at %s".formatted(newest, revision()));
        }
    }

    /// Waits until the change of `wanted` can be read here; false if that takes longer than `patience`, give or take
    /// the time between two looks of [#endLongWaits].
    public boolean awaitRevision(Revision wanted, Duration patience) throws InterruptedException {
        return mark.await(wanted, patience);
    }

    /// Ends the waits that take too long, until interrupted.
    public void endLongWaits() throws InterruptedException {
        while (true) {
            Thread.sleep(TICK);
            mark.endLongWaits();
        }
    }

    /// Ends all watches.
    public void end() {
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
        return ApiObject.of(cache.kind(), stored.value(), stored.revision());
    }

    private void advance(Revision to) {
        mark.advance(to);
        // Once for all that came together, and after the writers, whose answers are late already.
        byPrefix.values().forEach(KindCache::tell);
    }
}
