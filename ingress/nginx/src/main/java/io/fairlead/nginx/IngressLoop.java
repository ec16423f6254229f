package io.fairlead.nginx;

import io.fairlead.api.Snapshot;
import io.fairlead.routes.RouteTable;
import io.fairlead.runtime.ApplyLoop;
import io.fairlead.runtime.ApplyLoop.Reason;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes Snapshots and has nginx follow them. It also keeps nginx alive.
final class IngressLoop implements ApplyLoop.Work<Snapshot> {
    private static final Logger LOG = LoggerFactory.getLogger(IngressLoop.class);

    /// How often it looks whether nginx lives when nothing changes.
    private static final Duration TICK = Duration.ofMillis(100);

    // Short, as the loop does not look after nginx during a pause.
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final Nginx nginx;
    private final Follower follower;
    private final IngressMetrics metrics;
    private final Consumer<RouteTable> served;

    /// `served` gets each table that nginx follows from now on.
    IngressLoop(Nginx nginx, Follower follower, IngressMetrics metrics, Consumer<RouteTable> served) {
        this.nginx = nginx;
        this.follower = follower;
        this.metrics = metrics;
        this.served = served;
    }

    void run(Latest<Snapshot> snapshots) throws InterruptedException {
        new ApplyLoop<>(snapshots, this, new Backoff(TICK, LONGEST_PAUSE, RandomGenerator.getDefault())).run();
    }

    @Override
    public void apply(Snapshot snapshot, Reason reason) throws InterruptedException {
        revive();
        served.accept(follower.follow(snapshot));
    }

    @Override
    public Duration patience() {
        return TICK;
    }

    @Override
    public Optional<Reason> look() throws InterruptedException {
        if (revive()) {
            return Optional.of(Reason.DRIFT);
        }
        return follower.isBehind() ? Optional.of(Reason.TIME) : Optional.empty();
    }

    private boolean revive() throws InterruptedException {
        boolean strange = nginx.revive();
        if (strange) {
            follower.forget();
        }
        return strange;
    }

    @Override
    public boolean isRefusal(RuntimeException failure) {
        return failure instanceof NginxException;
    }

    @Override
    public void refused(RuntimeException refusal, Duration pause) {
        metrics.failed();
        LOG.warn("event=ingress-failed retry={}ms reason=\"{}\"", pause.toMillis(), refusal.getMessage());
        follower.forget();
    }
}
