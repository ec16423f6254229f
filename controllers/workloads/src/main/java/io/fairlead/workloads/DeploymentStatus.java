package io.fairlead.workloads;

import io.fairlead.api.Deployment;
import io.fairlead.api.ReplicaSet;
import io.fairlead.runner.Moment;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The counts of a Deployment, summed over its ReplicaSets, and what they mean.
final class DeploymentStatus {
    private DeploymentStatus() {}

    static ObjectNode of(Deployment deployment, DeploymentSets sets, Moment moment) {
        int available = sets.sum("availableReplicas");
        int wanted = sets.all().stream().mapToInt(ReplicaSet::replicas).sum();
        ObjectNode status = Statuses.observed(deployment)
                .put("replicas", sets.sum("replicas"))
                .put(
                        "updatedReplicas",
                        sets.fresh()
                                .map(set -> DeploymentSets.count(set, "replicas"))
                                .orElse(0))
                .put("readyReplicas", sets.sum("readyReplicas"))
                .put("availableReplicas", available)
                .put("unavailableReplicas", Math.max(0, wanted - available));
        ArrayNode conditions = status.putArray("conditions");
        conditions.add(available(deployment, available).at(deployment.status(), moment));
        progress(deployment, sets, status, moment).ifPresent(conditions::add);
        return status;
    }

    private static WorkloadCondition available(Deployment deployment, int available) {
        int replicas = deployment.replicas();
        return available >= replicas - deployment.strategy().unavailable(replicas)
                ? new WorkloadCondition(
                        "Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
                : new WorkloadCondition(
                        "Available",
                        "False",
                        "MinimumReplicasUnavailable",
                        "Deployment does not have minimum availability.");
    }

    private static Optional<ObjectNode> progress(
            Deployment deployment, DeploymentSets sets, ObjectNode counts, Moment moment) {
        return new DeploymentProgress(deployment, sets, counts).condition(moment);
    }
}
