package io.fairlead.merge;

import io.fairlead.api.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The patch that a client such as kubectl makes of two states of a pod: deletions, changes and the order of lists.
final class StrategicDiff {
    private static final Map<String, String> MERGE_KEYS =
            Map.of("containers", "name", "env", "name", "ports", "containerPort", "finalizers", "");

    private StrategicDiff() {}

    static ObjectNode between(JsonNode before, JsonNode after) {
        ObjectNode patch = Json.object();
        before.propertyNames().stream().filter(name -> !after.has(name)).forEach(patch::putNull);
        after.propertyStream().forEach(entry -> {
            JsonNode old = before.path(entry.getKey());
            JsonNode value = entry.getValue();
            if (MERGE_KEYS.containsKey(entry.getKey())) {
                lists(patch, entry.getKey(), old, value);
            } else if (value.isObject() && old.isObject()) {
                patch.set(entry.getKey(), between(old, value));
            } else if (!value.equals(old)) {
                patch.set(entry.getKey(), value);
            }
        });
        return patch;
    }

    private static void lists(ObjectNode patch, String name, JsonNode before, JsonNode after) {
        String key = MERGE_KEYS.getOrDefault(name, "");
        ArrayNode order = patch.putArray("$setElementOrder/" + name);
        ArrayNode changes = JsonNodeFactory.instance.arrayNode();
        for (JsonNode item : after) {
            order.add(key.isEmpty() ? item : onlyKey(item, key));
            JsonNode old = find(before, key, item);
            if (old.isObject()) {
                changes.add(between(old, item).set(key, item.path(key)));
            } else if (old.isMissingNode()) {
                changes.add(item);
            }
        }
        for (JsonNode item : before) {
            if (find(after, key, item).isMissingNode()) {
                if (key.isEmpty()) {
                    patch.withArrayProperty("$deleteFromPrimitiveList/" + name).add(item);
                } else {
                    changes.add(onlyKey(item, key).put("$patch", "delete"));
                }
            }
        }
        patch.set(name, changes);
    }

    private static ObjectNode onlyKey(JsonNode item, String key) {
        return Json.object().set(key, item.path(key));
    }

    private static JsonNode find(JsonNode list, String key, JsonNode item) {
        return list.valueStream()
                .filter(other ->
                        key.isEmpty() ? other.equals(item) : other.path(key).equals(item.path(key)))
                .findFirst()
                .orElse(JsonNodeFactory.instance.missingNode());
    }
}
