package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// The `status.conditions` of an object.
final class Conditions {
    private Conditions() {}

    static boolean isTrue(JsonNode status, String type) {
        return status.path("conditions")
                .valueStream()
                .anyMatch(c -> Json.text(c, "type").equals(type)
                        && Json.text(c, "status").equals("True"));
    }

    /// When a condition last changed; empty where nobody said.
    static String changed(JsonNode status, String type) {
        return status.path("conditions")
                .valueStream()
                .filter(c -> Json.text(c, "type").equals(type))
                .map(c -> Json.text(c, "lastTransitionTime"))
                .findFirst()
                .orElse("");
    }
}
