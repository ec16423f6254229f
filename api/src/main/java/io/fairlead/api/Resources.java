package io.fairlead.api;

import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// How much of a node a container asks for, and how much it may use; by the name of what there is: `cpu`, `memory`.
public record Resources(Map<String, Quantity> requests, Map<String, Quantity> limits) {
    public static final Resources NONE = new Resources(Map.of(), Map.of());

    public Resources {
        requests = Map.copyOf(requests);
        limits = Map.copyOf(limits);
    }

    /// A limit alone is a request too. What cannot be read counts as absent: the API server refused it.
    static Resources of(JsonNode json) {
        Map<String, Quantity> limits = quantities(json, "limits");
        Map<String, Quantity> requests = new TreeMap<>(limits);
        requests.putAll(quantities(json, "requests"));
        return new Resources(requests, limits);
    }

    public Quantity request(String name) {
        return requests.getOrDefault(name, Quantity.NONE);
    }

    public Quantity limit(String name) {
        return limits.getOrDefault(name, Quantity.NONE);
    }

    static Map<String, Quantity> quantities(JsonNode json, String field) {
        Map<String, Quantity> quantities = new TreeMap<>();
        Json.map(json, field).forEach((name, text) -> {
            try {
                quantities.put(name, Quantity.parse(text));
            } catch (ParseException e) {
                // see above
            }
        });
        return quantities;
    }
}
