package io.fairlead.controllers;

import io.fairlead.api.Deployment;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.ReplicaSet;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The counts of a Deployment, summed over its ReplicaSets, and whether enough pods are available.
final class DeploymentStatus {
    private DeploymentStatus() {}

    static Optional<Write> write(Deployment deployment, Optional<ReplicaSet> fresh, List<ReplicaSet> sets) {
        int available = sum(sets, "availableReplicas");
        ObjectNode status = Json.object()
                .put("replicas", sum(sets, "replicas"))
                .put("updatedReplicas", sum(fresh.stream().toList(), "replicas"))
                .put("readyReplicas", sum(sets, "readyReplicas"))
                .put("availableReplicas", available)
                .put("unavailableReplicas", Math.max(0, deployment.replicas() - available));
        boolean enough = available >= deployment.replicas() - deployment.replicas() / 4;
        status.putArray("conditions").add(condition(enough));
        return Statuses.differ(deployment.status(), status)
                ? Optional.of(new Write.UpdateStatus(Kind.DEPLOYMENT, deployment.key(), status))
                : Optional.empty();
    }

    private static int sum(List<ReplicaSet> sets, String field) {
        return sets.stream()
                .mapToInt(set -> Json.number(set.status(), 0, field))
                .sum();
    }

    private static ObjectNode condition(boolean enough) {
        return Json.object()
                .put("type", "Available")
                .put("status", enough ? "True" : "False")
                .put("reason", enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable")
                .put(
                        "message",
                        enough
                                ? "Deployment has minimum availability."
                                : "Deployment does not have minimum availability.");
    }
}
