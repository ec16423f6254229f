package io.fairlead.api;

import java.util.HashMap;
import java.util.Map;

/// One text for all that read alike: a cluster has many endpoints and few nodes and zones.
final class SharedTexts {
    private static final int MOST = 20_000;

    private final Map<String, String> known = new HashMap<>();

    String shared(String text) {
        if (text.isEmpty()) {
            return "";
        }
        String same = known.get(text);
        if (same != null) {
            return same;
        }
        if (known.size() < MOST) {
            known.put(text, text);
        }
        return text;
    }
}
