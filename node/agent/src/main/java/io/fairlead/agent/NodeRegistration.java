package io.fairlead.agent;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.containers.RuncRuntime;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the Node object of this node in the API, also when a client deletes or changes it, and shows that it lives.
final class NodeRegistration {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRegistration.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final NodeConfig config;
    private final ApiClient api;
    private final NodeLease lease;

    NodeRegistration(NodeConfig config, ApiClient api) {
        this.config = config;
        this.api = api;
        this.lease = new NodeLease(config, api);
    }

    /// The sign of life first: a node that says it is ready while its Lease is stale would be called lost again.
    void run(Latest<Snapshot> snapshots) throws InterruptedException {
        NodeObject wanted = new NodeObject(
                config, MachineFacts.facts(RuncRuntime.version()), MachineFacts.capacity(config.stateDirectory()));
        NamespacedName key = new NamespacedName("", config.name());
        Snapshot snapshot = snapshots.take();
        long due = System.nanoTime();
        while (true) {
            if (due - System.nanoTime() <= 0) {
                due = System.nanoTime() + (renewed() ? config.settings().renewal() : RETRY).toNanos();
            }
            boolean said = snapshot.nodes().find(key).filter(wanted::isSaidBy).isPresent();
            boolean done = said || register(key, wanted);
            Duration left = Duration.ofNanos(Math.max(1, due - System.nanoTime()));
            snapshot = snapshots
                    .take(done || left.compareTo(RETRY) < 0 ? left : RETRY)
                    .orElse(snapshot);
        }
    }

    private boolean renewed() throws InterruptedException {
        try {
            lease.renew(Instant.now());
            return true;
        } catch (ApiException e) {
            LOG.warn("event=lease-not-renewed node={} reason=\"{}\"", config.name(), e.getMessage());
            return false;
        }
    }

    private boolean register(NamespacedName key, NodeObject wanted) throws InterruptedException {
        try {
            createOrPatch(key, wanted);
            LOG.info("event=node-registered node={}", config.name());
            return true;
        } catch (ApiException e) {
            LOG.warn("event=node-not-registered node={} reason=\"{}\"", config.name(), e.getMessage());
            return false;
        }
    }

    private void createOrPatch(NamespacedName key, NodeObject wanted) throws InterruptedException {
        ObjectNode status = wanted.status(Instant.now());
        try {
            ObjectNode whole = wanted.object();
            whole.setAll(status);
            api.create(Kind.NODE, whole);
        } catch (ApiException e) {
            if (!e.isConflict()) {
                throw e;
            }
            api.mergePatch(Kind.NODE, key, wanted.object());
            api.patchStatus(Kind.NODE, key, status);
        }
    }
}
