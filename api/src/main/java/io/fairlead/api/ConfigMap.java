package io.fairlead.api;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Settings by name, as text.
public record ConfigMap(ObjectMeta metadata, Map<String, String> values) implements KubernetesObject {
    public static ConfigMap of(JsonNode json) {
        return new ConfigMap(ObjectMeta.of(json), Json.map(json, "data"));
    }

    @Override
    public Kind kind() {
        return Kind.CONFIG_MAP;
    }
}
