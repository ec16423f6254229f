package io.fairlead.nginx;

import io.fairlead.api.Snapshot;
import io.fairlead.routes.RouteTable;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes Snapshots and has nginx follow them. It also keeps nginx alive.
final class IngressLoop {
    private static final Logger LOG = LoggerFactory.getLogger(IngressLoop.class);

    /// How often it looks whether nginx lives when nothing changes.
    private static final Duration TICK = Duration.ofMillis(100);

    private final Nginx nginx;
    private final Follower follower;
    private final IngressMetrics metrics;
    private final Consumer<RouteTable> told;

    IngressLoop(Nginx nginx, Follower follower, IngressMetrics metrics, Consumer<RouteTable> told) {
        this.nginx = nginx;
        this.follower = follower;
        this.metrics = metrics;
        this.told = told;
    }

    void run(Latest<Snapshot> snapshots) throws InterruptedException {
        Snapshot snapshot = snapshots.take();
        boolean changed = true;
        while (true) {
            try {
                if (nginx.revive()) {
                    follower.forget();
                    changed = true;
                }
                if (changed || follower.isBehind()) {
                    told.accept(follower.follow(snapshot));
                }
            } catch (NginxException e) {
                metrics.failed();
                LOG.warn("event=ingress-failed sentence=\"{}\"", e.getMessage());
                follower.forget();
            }
            Optional<Snapshot> newer = snapshots.take(TICK);
            changed = newer.isPresent();
            snapshot = newer.orElse(snapshot);
        }
    }
}
