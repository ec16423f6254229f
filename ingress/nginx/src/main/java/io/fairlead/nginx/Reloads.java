package io.fairlead.nginx;

import io.fairlead.routes.Configuration;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// When nginx may be reloaded: not too often, and not while too many old workers still finish what they have.
///
/// The bound costs this: with that many old workers, what needs a reload waits until one of them is done, at most
/// for `worker-shutdown-timeout`. Endpoints, certificates and routes do not wait, for they need none.
final class Reloads {
    private static final Logger LOG = LoggerFactory.getLogger(Reloads.class);

    private final Nginx nginx;
    private final IngressMetrics metrics;
    private final Duration interval;
    private final int mostOldWorkers;
    private long last;
    private boolean waits;

    Reloads(Nginx nginx, IngressMetrics metrics, IngressConfig config) {
        this.nginx = nginx;
        this.metrics = metrics;
        this.interval = config.reloadInterval();
        this.mostOldWorkers = config.mostOldWorkers();
        this.last = System.nanoTime() - interval.toNanos();
    }

    /// True if a reload may be done now.
    boolean allows() {
        if (System.nanoTime() - last < interval.toNanos()) {
            return false;
        }
        int old = nginx.oldWorkers();
        boolean before = waits;
        waits = old >= mostOldWorkers;
        if (waits && !before) {
            metrics.waited();
            LOG.warn("event=reload-waits old-workers={} most={}", old, mostOldWorkers);
        }
        return !waits;
    }

    /// Loads a configuration, or says why nginx would not.
    Optional<String> load(Configuration configuration) throws InterruptedException {
        Optional<String> refusal = nginx.load(configuration);
        if (refusal.isEmpty()) {
            metrics.reloaded();
            last = System.nanoTime();
        }
        return refusal;
    }
}
