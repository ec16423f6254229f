package io.fairlead.controllers;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Compares the status that is with the one that should be.
final class Statuses {
    private Statuses() {}

    /// True if a field of `wanted` is not so in `actual`; a number that is absent counts as 0.
    static boolean differ(JsonNode actual, ObjectNode wanted) {
        return wanted.propertyStream().anyMatch(field -> !same(actual.path(field.getKey()), field.getValue()));
    }

    private static boolean same(JsonNode actual, JsonNode wanted) {
        return wanted.isNumber() ? actual.asLong(0) == wanted.longValue() : actual.equals(wanted);
    }
}
