package io.fairlead.runner;

import java.util.Map;

/// Whether labels have all that a selector asks for; an empty selector selects nothing.
public final class Selector {
    private Selector() {}

    public static boolean matches(Map<String, String> selector, Map<String, String> labels) {
        return !selector.isEmpty()
                && selector.entrySet().stream()
                        .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())));
    }
}
