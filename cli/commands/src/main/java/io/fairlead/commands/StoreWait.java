package io.fairlead.commands;

import io.fairlead.runtime.Backoff;
import io.fairlead.store.EtcdLocation;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import io.fairlead.store.StoreLocation;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens a store. An etcd that is away is waited for: it may come later than the server, as after a power cut. A file
/// that cannot be opened is an error: it does not come back by itself.
final class StoreWait {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWait.class);

    private StoreWait() {}

    static Store open(StoreLocation location) throws InterruptedException {
        Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(10), ThreadLocalRandom.current());
        boolean waiting = false;
        while (true) {
            try {
                Store store = location.open();
                if (waiting) {
                    LOG.info("event=store-reached");
                }
                return store;
            } catch (StoreException e) {
                if (!(location instanceof EtcdLocation)) {
                    throw e;
                }
                if (!waiting) {
                    LOG.warn("event=store-waiting reason=\"{}\"", e.getMessage());
                }
                waiting = true;
                Thread.sleep(backoff.next());
            }
        }
    }
}
