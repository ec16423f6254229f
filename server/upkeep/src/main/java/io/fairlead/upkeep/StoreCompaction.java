package io.fairlead.upkeep;

import io.fairlead.api.Revision;
import io.fairlead.objects.WatchCache;
import io.fairlead.store.Store;
import java.time.Duration;

/// Lets the store forget the history that nobody can ask for any more: what is older than one period.
public final class StoreCompaction {
    private static final Duration PERIOD = Duration.ofMinutes(5);

    private final Store store;
    private final WatchCache cache;

    public StoreCompaction(Store store, WatchCache cache) {
        this.store = store;
        this.cache = cache;
    }

    public void run() throws InterruptedException {
        Revision before = cache.revision();
        while (true) {
            Thread.sleep(PERIOD);
            store.compact(before);
            before = cache.revision();
        }
    }
}
