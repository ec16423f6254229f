package io.fairlead.workloads;

import io.fairlead.api.Json;
import io.fairlead.runner.Moment;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One thing that is so, not so or not known of a workload, and why.
record WorkloadCondition(String type, String status, String reason, String message) {

    /// The condition as it is in a status.
    static Optional<JsonNode> find(JsonNode status, String type) {
        return status.path("conditions")
                .valueStream()
                .filter(condition -> Json.text(condition, "type").equals(type))
                .findFirst();
    }

    /// With its times: one that is in `before` already is as old as it is there.
    ObjectNode at(JsonNode before, Moment moment) {
        return find(before, type)
                .filter(known -> Json.text(known, "status").equals(status)
                        && Json.text(known, "reason").equals(reason)
                        && Json.text(known, "message").equals(message))
                .map(known -> ((ObjectNode) known).deepCopy())
                .orElseGet(() -> renewed(before, moment));
    }

    /// With its times, updated now; since now where the status was another.
    ObjectNode renewed(JsonNode before, Moment moment) {
        String since = find(before, type)
                .filter(known -> Json.text(known, "status").equals(status))
                .map(known -> Json.text(known, "lastTransitionTime"))
                .orElse(moment.timestamp());
        return Json.object()
                .put("type", type)
                .put("status", status)
                .put("lastUpdateTime", moment.timestamp())
                .put("lastTransitionTime", since)
                .put("reason", reason)
                .put("message", message);
    }
}
