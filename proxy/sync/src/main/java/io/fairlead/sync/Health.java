package io.fairlead.sync;

import io.fairlead.api.Family;
import io.fairlead.api.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Whether the kernel follows the cluster: unhealthy while a change has waited for too long.
///
/// Before the first Snapshot nothing waits, so a proxy that starts is healthy, as kube-proxy is.
final class Health {
    /// What `/healthz` says; `lastUpdated` is when the kernel was last known to be at the newest state.
    ///
    /// `nodeEligible` is false for a node that is about to go: a load balancer should send it nothing new.
    /// `problems` say of layers, by name, why they have no effect where the pods are; connections from outside are
    /// led all the same. `failing` are tasks of the program that failed and begin again.
    record Report(
            boolean synced,
            boolean nodeEligible,
            Instant lastUpdated,
            Instant currentTime,
            Map<String, String> problems,
            Set<String> failing) {
        Report with(Set<String> failingTasks) {
            return new Report(synced, nodeEligible, lastUpdated, currentTime, problems, failingTasks);
        }

        /// Whether the program does all that it is there for.
        boolean alive() {
            return synced && failing.isEmpty();
        }

        /// Whether it is alive on a node to send connections to.
        boolean ready() {
            return alive() && nodeEligible;
        }

        /// Whether load balancers should send connections here.
        boolean healthy() {
            return synced && nodeEligible;
        }

        String json() {
            ObjectNode json = Json.object();
            json.put("lastUpdated", lastUpdated.toString());
            json.put("currentTime", currentTime.toString());
            json.put("nodeEligible", nodeEligible);
            json.put("healthy", synced);
            ObjectNode status = json.putObject("status"); // one program for both families
            for (Family family : Family.values()) {
                status.putObject(family.toString())
                        .put("lastUpdated", lastUpdated.toString())
                        .put("healthy", synced);
            }
            if (!problems.isEmpty()) {
                ObjectNode layers = json.putObject("layers");
                problems.forEach((layer, problem) ->
                        layers.putObject(layer).put("healthy", false).put("reason", problem));
            }
            if (!failing.isEmpty()) {
                ObjectNode tasks = json.putObject("tasks");
                failing.forEach(task -> tasks.putObject(task).put("healthy", false));
            }
            return Json.pretty(json) + "\n";
        }
    }

    private final Duration patience;
    private @Nullable Instant pendingSince;
    private Instant lastSynced;
    private boolean nodeEligible = true;
    private Map<String, String> problems = Map.of();

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

    /// Whether the node we stand on is one to send connections to.
    synchronized void nodeEligible(boolean eligible) {
        nodeEligible = eligible;
    }

    /// What is wrong with layers, by their names; empty where all have their effect.
    synchronized void effects(Map<String, String> problems) {
        this.problems = new TreeMap<>(problems);
    }

    synchronized Report report(Instant now) {
        if (pendingSince == null) {
            return new Report(true, nodeEligible, now, now, problems, Set.of());
        }
        boolean inTime = !now.isAfter(pendingSince.plus(patience));
        return new Report(inTime, nodeEligible, lastSynced, now, problems, Set.of());
    }
}
