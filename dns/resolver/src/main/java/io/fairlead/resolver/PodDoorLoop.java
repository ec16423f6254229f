package io.fairlead.resolver;

import io.fairlead.api.Snapshot;
import io.fairlead.kernel.KernelException;
import io.fairlead.runtime.ApplyLoop;
import io.fairlead.runtime.ApplyLoop.Reason;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the node's door at the newest plan. While the kernel refuses it, pods ask the servers of other nodes.
final class PodDoorLoop implements ApplyLoop.Work<Snapshot> {
    private static final Logger LOG = LoggerFactory.getLogger(PodDoorLoop.class);

    private final PodDoor door;
    private final Function<Snapshot, PodDoorPlan> plan;

    PodDoorLoop(PodDoor door, Function<Snapshot, PodDoorPlan> plan) {
        this.door = door;
        this.plan = plan;
    }

    void run(Latest<Snapshot> snapshots) throws InterruptedException {
        new ApplyLoop<>(snapshots, this).run();
    }

    @Override
    public void apply(Snapshot snapshot, Reason reason) {
        door.open(plan.apply(snapshot));
    }

    @Override
    public boolean isRefusal(RuntimeException failure) {
        return failure instanceof DnsException || failure instanceof KernelException;
    }

    @Override
    public void refused(RuntimeException refusal, Duration pause) {
        LOG.warn("event=node-dns-failed retry={}ms reason=\"{}\"", pause.toMillis(), refusal.getMessage());
    }
}
