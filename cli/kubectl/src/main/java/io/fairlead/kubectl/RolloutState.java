package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import tools.jackson.databind.JsonNode;

/// How far a rollout is, in the words of kubectl: pure.
///
/// @param failed it will not end
record RolloutState(String line, boolean done, boolean failed) {

    static RolloutState of(Kind kind, JsonNode object) {
        if (kind.equals(Kind.DEPLOYMENT)) {
            return deployment(object);
        }
        return kind.equals(Kind.DAEMON_SET) ? daemonSet(object) : statefulSet(object);
    }

    private static RolloutState waits(String line) {
        return new RolloutState(line, false, false);
    }

    private static RolloutState ended(String line) {
        return new RolloutState(line, true, false);
    }

    private static RolloutState deployment(JsonNode object) {
        String name = Json.text(object, "metadata", "name");
        if (!isObserved(object)) {
            return waits("Waiting for deployment spec update to be observed...");
        }
        boolean late = object.path("status")
                .path("conditions")
                .valueStream()
                .anyMatch(condition -> Json.text(condition, "type").equals("Progressing")
                        && Json.text(condition, "reason").equals("ProgressDeadlineExceeded"));
        if (late) {
            return new RolloutState(
                    "error: deployment \"%s\" exceeded its progress deadline".formatted(name), true, true);
        }
        int wanted = Json.number(object, 1, "spec", "replicas");
        int updated = Json.number(object, 0, "status", "updatedReplicas");
        int all = Json.number(object, 0, "status", "replicas");
        int available = Json.number(object, 0, "status", "availableReplicas");
        String waiting = "Waiting for deployment \"%s\" rollout to finish: ".formatted(name);
        if (updated < wanted) {
            return waits(waiting + "%d out of %d new replicas have been updated...".formatted(updated, wanted));
        }
        if (all > updated) {
            return waits(waiting + "%d old replicas are pending termination...".formatted(all - updated));
        }
        if (available < updated) {
            return waits(waiting + "%d of %d updated replicas are available...".formatted(available, updated));
        }
        return ended("deployment \"%s\" successfully rolled out".formatted(name));
    }

    private static RolloutState daemonSet(JsonNode object) {
        String name = Json.text(object, "metadata", "name");
        if (!isObserved(object)) {
            return waits("Waiting for daemon set spec update to be observed...");
        }
        int wanted = Json.number(object, 0, "status", "desiredNumberScheduled");
        int updated = Json.number(object, 0, "status", "updatedNumberScheduled");
        int available = Json.number(object, 0, "status", "numberAvailable");
        String waiting = "Waiting for daemon set \"%s\" rollout to finish: ".formatted(name);
        if (updated < wanted) {
            return waits(waiting + "%d out of %d new pods have been updated...".formatted(updated, wanted));
        }
        if (available < wanted) {
            return waits(waiting + "%d of %d updated pods are available...".formatted(available, wanted));
        }
        return ended("daemon set \"%s\" successfully rolled out".formatted(name));
    }

    private static RolloutState statefulSet(JsonNode object) {
        if (!isObserved(object) || Json.number(object, 0, "status", "observedGeneration") == 0) {
            return waits("Waiting for statefulset spec update to be observed...");
        }
        int wanted = Json.number(object, 1, "spec", "replicas");
        int ready = Json.number(object, 0, "status", "readyReplicas");
        int updated = Json.number(object, 0, "status", "updatedReplicas");
        int partition = Json.number(object, 0, "spec", "updateStrategy", "rollingUpdate", "partition");
        String revision = Json.text(object, "status", "updateRevision");
        if (ready < wanted) {
            return waits("Waiting for %d pods to be ready...".formatted(wanted - ready));
        }
        if (partition > 0) {
            return updated < wanted - partition
                    ? waits("Waiting for partitioned roll out to finish: %d out of %d new pods have been updated..."
                            .formatted(updated, wanted - partition))
                    : ended("partitioned roll out complete: %d new pods have been updated...".formatted(updated));
        }
        if (!revision.equals(Json.text(object, "status", "currentRevision"))) {
            return waits("waiting for statefulset rolling update to complete %d pods at revision %s..."
                    .formatted(updated, revision));
        }
        return ended("statefulset rolling update complete %d pods at revision %s..."
                .formatted(Json.number(object, 0, "status", "currentReplicas"), revision));
    }

    private static boolean isObserved(JsonNode object) {
        return Json.number(object, 0, "metadata", "generation")
                <= Json.number(object, 0, "status", "observedGeneration");
    }
}
