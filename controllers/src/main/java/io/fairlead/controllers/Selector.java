package io.fairlead.controllers;

import java.util.Map;

/// Whether labels have all that a selector asks for; an empty selector selects nothing.
final class Selector {
    private Selector() {}

    static boolean matches(Map<String, String> selector, Map<String, String> labels) {
        return !selector.isEmpty()
                && selector.entrySet().stream()
                        .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())));
    }
}
