package io.fairlead.merge;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// JSON Merge Patch (RFC 7386): objects are merged, null takes away, all else replaces.
public final class MergePatch {
    private MergePatch() {}

    /// What `target` becomes; `target` itself may be changed on the way.
    public static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch;
        }
        ObjectNode result = target instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
        changes.propertyStream().forEach(change -> {
            if (change.getValue().isNull()) {
                result.remove(change.getKey());
            } else {
                result.set(change.getKey(), apply(result.path(change.getKey()), change.getValue()));
            }
        });
        return result;
    }
}
