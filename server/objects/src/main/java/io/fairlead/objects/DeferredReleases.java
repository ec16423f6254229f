package io.fairlead.objects;

import io.fairlead.store.StoreException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What follows a committed write: to free what the object no longer has. It never changes the write's answer. What the
/// store refuses is tried again in the background; what a crash loses, `ClaimRepair` in `upkeep` finds.
public final class DeferredReleases {
    private static final Logger LOG = LoggerFactory.getLogger(DeferredReleases.class);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(500);
    private static final int MOST = 10_000;

    /// Frees something, or throws what the store says.
    interface Release {
        void run() throws InterruptedException;
    }

    private final BlockingQueue<Release> waiting = new ArrayBlockingQueue<>(MOST);

    /// Makes the release now, or soon.
    void make(Release release) throws InterruptedException {
        try {
            release.run();
        } catch (StoreException | StatusException e) {
            boolean kept = waiting.offer(release);
            LOG.warn("event=release-deferred kept={} reason=\"{}\"", kept, e.getMessage());
        }
    }

    /// Makes what waits, until interrupted.
    public void run() throws InterruptedException {
        while (true) {
            Release next = waiting.take();
            try {
                next.run();
            } catch (StoreException | StatusException e) {
                LOG.debug("event=release-deferred reason=\"{}\"", e.getMessage());
                waiting.put(next);
                Thread.sleep(BETWEEN_TRIES);
            }
        }
    }
}
