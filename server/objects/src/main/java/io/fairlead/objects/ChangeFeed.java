package io.fairlead.objects;

import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The changes of several kinds, for one of the server's own tasks; it begins with all that is there.
public final class ChangeFeed {
    // Under many writes, one look for all that come in so long costs a fraction of one look for each.
    private static final Duration TOGETHER = Duration.ofMillis(10);

    private final WatchCache cache;
    private final List<Kind> kinds;
    private final Map<Kind, Revision> seen = new HashMap<>();
    private Revision looked = Revision.ZERO;

    public ChangeFeed(WatchCache cache, List<Kind> kinds) {
        this.cache = cache;
        this.kinds = List.copyOf(kinds);
    }

    /// What happened; `fromScratch` if these are all objects that there are, because what led to them is not known.
    public record Changes(List<CacheEvent.Seen> changes, boolean fromScratch) {}

    /// Waits for changes, but no longer than `patience`: then there are none. Nothing comes back once the server is
    /// closing.
    public Optional<Changes> next(Duration patience) throws InterruptedException {
        if (seen.isEmpty()) {
            return Optional.of(all());
        }
        if (cache.awaitRevision(new Revision(1 + looked.value()), patience)) {
            Thread.sleep(TOGETHER);
        }
        try {
            return changes();
        } catch (StatusException expired) {
            return Optional.of(all());
        }
    }

    private Changes all() {
        List<CacheEvent.Seen> all = new ArrayList<>();
        looked = cache.revision();
        for (Kind kind : kinds) {
            KindCache.Listing listing = cache.of(kind).list("");
            seen.put(kind, listing.revision());
            listing.items().forEach(object -> all.add(new CacheEvent.Seen(CacheEvent.Type.ADDED, object)));
        }
        return new Changes(all, true);
    }

    private Optional<Changes> changes() throws InterruptedException {
        List<CacheEvent.Seen> changes = new ArrayList<>();
        looked = cache.revision();
        for (Kind kind : kinds) {
            if (!cache.of(kind).newest().isAfter(seen.getOrDefault(kind, Revision.ZERO))) {
                continue;
            }
            var batch = cache.of(kind).await(seen.getOrDefault(kind, Revision.ZERO), Duration.ZERO);
            if (batch.isEmpty()) {
                return Optional.empty();
            }
            seen.put(kind, batch.get().upTo());
            batch.get().events().forEach(event -> event.seenBy(_ -> true).ifPresent(changes::add));
        }
        return Optional.of(new Changes(changes, false));
    }
}
