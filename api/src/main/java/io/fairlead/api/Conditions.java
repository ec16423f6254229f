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
}
