package io.fairlead.workloads;

import io.fairlead.api.Deployment;
import io.fairlead.api.Json;
import io.fairlead.runner.Moment;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Whether the rollout of a Deployment gets on: the condition `Progressing`, as `kubectl rollout status` reads it.
///
/// @param counts the status as it will be, without its conditions
record DeploymentProgress(Deployment deployment, DeploymentSets sets, ObjectNode counts) {
    private static final String TYPE = "Progressing";
    private static final String COMPLETE = "NewReplicaSetAvailable";
    private static final String EXCEEDED = "ProgressDeadlineExceeded";
    private static final String PAUSED = "DeploymentPaused";

    Optional<ObjectNode> condition(Moment moment) {
        Optional<JsonNode> known = WorkloadCondition.find(deployment.status(), TYPE);
        String reason = known.map(condition -> Json.text(condition, "reason")).orElse("");
        if (deployment.strategy().paused()) {
            return Optional.of(is("Unknown", PAUSED, "Deployment is paused").at(deployment.status(), moment));
        }
        if (reason.equals(PAUSED)) {
            return Optional.of(
                    is("Unknown", "DeploymentResumed", "Deployment is resumed").at(deployment.status(), moment));
        }
        String set =
                "ReplicaSet \"%s\"".formatted(ReplicaSetTree.name(deployment).name());
        if (isComplete()) {
            return Optional.of(
                    is("True", COMPLETE, set + " has successfully progressed.").at(deployment.status(), moment));
        }
        if (known.isEmpty() || isAboutAnother(known.get())) {
            return Optional.of(begun(set).renewed(deployment.status(), moment));
        }
        if (getsOn()) {
            return Optional.of(
                    is("True", "ReplicaSetUpdated", set + " is progressing.").renewed(deployment.status(), moment));
        }
        if (untilDeadline(deployment, moment).filter(left -> !left.isPositive()).isPresent()) {
            return Optional.of(
                    is("False", EXCEEDED, set + " has timed out progressing.").at(deployment.status(), moment));
        }
        return known.map(condition -> ((ObjectNode) condition).deepCopy());
    }

    private static WorkloadCondition is(String status, String reason, String message) {
        return new WorkloadCondition(TYPE, status, reason, message);
    }

    private WorkloadCondition begun(String set) {
        return sets.fresh().isPresent()
                ? is("True", "FoundNewReplicaSet", "Found new " + set)
                : is("True", "NewReplicaSetCreated", "Created new " + set);
    }

    /// True if the condition tells of the rollout of an older template.
    private boolean isAboutAnother(JsonNode condition) {
        String message = Json.text(condition, "message");
        return message.contains("ReplicaSet \"")
                && !message.contains(ReplicaSetTree.name(deployment).name());
    }

    private boolean isComplete() {
        int replicas = deployment.replicas();
        return sets.fresh().isPresent()
                && count(counts, "updatedReplicas") == replicas
                && count(counts, "replicas") == replicas
                && count(counts, "availableReplicas") == replicas;
    }

    /// More new pods, fewer old ones, or more that can be used than last time.
    private boolean getsOn() {
        JsonNode before = deployment.status();
        return count(counts, "updatedReplicas") > count(before, "updatedReplicas")
                || old(counts) < old(before)
                || count(counts, "readyReplicas") > count(before, "readyReplicas")
                || count(counts, "availableReplicas") > count(before, "availableReplicas");
    }

    private static int old(JsonNode counts) {
        return count(counts, "replicas") - count(counts, "updatedReplicas");
    }

    private static int count(JsonNode counts, String field) {
        return Json.number(counts, 0, field);
    }

    /// How much of its time is left to a rollout that is under way; nothing where none is.
    static Optional<Duration> untilDeadline(Deployment deployment, Moment moment) {
        int seconds = deployment.strategy().deadlineSeconds();
        return WorkloadCondition.find(deployment.status(), TYPE)
                .filter(condition -> !deployment.strategy().paused() && seconds != Integer.MAX_VALUE)
                .filter(condition -> !Json.text(condition, "reason").equals(COMPLETE)
                        && !Json.text(condition, "reason").equals(EXCEEDED))
                .map(condition ->
                        Duration.ofSeconds(seconds).minus(moment.since(Json.text(condition, "lastUpdateTime"))));
    }
}
