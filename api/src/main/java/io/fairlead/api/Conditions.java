package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// The `status.conditions` of an object.
final class Conditions {
    private Conditions() {}

    static boolean isTrue(JsonNode status, String type) {
        return status(status, type).equals("True");
    }

    /// `True`, `False` or `Unknown`; empty where it is not given.
    static String status(JsonNode status, String type) {
        return field(status, type, "status");
    }

    /// When a condition last changed; empty where it is not given.
    static String changed(JsonNode status, String type) {
        return field(status, type, "lastTransitionTime");
    }

    static String message(JsonNode status, String type) {
        return field(status, type, "message");
    }

    private static String field(JsonNode status, String type, String field) {
        return status.path("conditions")
                .valueStream()
                .filter(c -> Json.text(c, "type").equals(type))
                .map(c -> Json.text(c, field))
                .findFirst()
                .orElse("");
    }
}
