package io.fairlead.nginx;

import io.fairlead.routes.Configuration;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// When nginx may be reloaded: not too often, not while too many old workers still finish what they have, and not
/// before
/// clients had a moment to leave the connections that a reload ends.
///
/// The bound costs this: with that many old workers, what needs a reload waits until one of them is done, at most
/// for `worker-shutdown-timeout`. Endpoints, certificates and routes do not wait, for they need none.
final class Reloads {
    private static final Logger LOG = LoggerFactory.getLogger(Reloads.class);

    /// A client that asks at least so often has its connection ended with an answer, not between two.
    static final Duration NOTICE = Duration.ofMillis(250);

    /// After so long nginx has forgotten that it was announced.
    private static final Duration FORGOTTEN = Duration.ofSeconds(4);

    private final Nginx nginx;
    private final IngressMetrics metrics;
    private final Duration interval;
    private final int mostOldWorkers;
    private final boolean announces;
    private Optional<Long> announced = Optional.empty();
    private long last;
    private boolean waits;

    Reloads(Nginx nginx, IngressMetrics metrics, IngressConfig config) {
        this.nginx = nginx;
        this.metrics = metrics;
        this.interval = config.reloadInterval();
        this.mostOldWorkers = config.mostOldWorkers();
        this.announces = config.place().lua();
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
        return !waits && isAnnounced();
    }

    private boolean isAnnounced() {
        long now = System.nanoTime();
        Optional<Long> before = announced.filter(at -> now - at < FORGOTTEN.toNanos());
        if (!announces || before.isPresent()) {
            return !announces || now - before.get() >= NOTICE.toNanos();
        }
        boolean asked = nginx.announceReload();
        announced = asked ? Optional.of(now) : Optional.empty();
        return !asked;
    }

    /// Loads a configuration, or says why nginx would not.
    Optional<String> load(Configuration configuration) throws InterruptedException {
        Optional<String> refusal = nginx.load(configuration);
        announced = Optional.empty();
        if (refusal.isEmpty()) {
            metrics.reloaded();
            last = System.nanoTime();
        }
        return refusal;
    }
}
