package io.fairlead.proxy;

import io.fairlead.api.Json;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Whether the kernel follows the cluster: unhealthy while a change has waited for too long.
///
/// Before the first Snapshot nothing waits, so a proxy that starts is healthy, as kube-proxy is.
final class Health {
    /// What `/healthz` says; `lastUpdated` is when the kernel was last known to be at the newest state.
    record Report(boolean healthy, Instant lastUpdated, Instant currentTime) {
        String json() {
            ObjectNode json = Json.object();
            json.put("lastUpdated", lastUpdated.toString());
            json.put("currentTime", currentTime.toString());
            json.put("healthy", healthy);
            return Json.pretty(json) + "\n";
        }
    }

    private final Duration patience;
    private @Nullable Instant pendingSince;
    private Instant lastSynced;

    /// `patience` is how long a change may wait.
    Health(Duration patience, Instant start) {
        this.patience = patience;
        this.lastSynced = start;
    }

    /// A change is known that the kernel has not got.
    synchronized void pending(Instant now) {
        if (pendingSince == null) {
            pendingSince = now;
        }
    }

    /// The kernel has got every change that is known.
    synchronized void synced(Instant now) {
        pendingSince = null;
        lastSynced = now;
    }

    synchronized Report report(Instant now) {
        if (pendingSince == null) {
            return new Report(true, now, now);
        }
        boolean inTime = !now.isAfter(pendingSince.plus(patience));
        return new Report(inTime, lastSynced, now);
    }
}
