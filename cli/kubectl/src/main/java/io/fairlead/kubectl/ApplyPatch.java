package io.fairlead.kubectl;

import io.fairlead.api.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The merge patch that makes a live object what its manifest says, and touches nothing else: pure.
///
/// Three sides, as in kubectl: a field that the manifest has is set; one that the manifest before had and this one
/// has not is removed; all others belong to the server or to other clients. A merge patch replaces lists whole, so
/// an item of a list keeps the live fields of the item it stands for (the node port of a Service's port).
final class ApplyPatch {
    /// Where the manifest is kept, for the next time; kubectl reads and writes the same annotation.
    static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private ApplyPatch() {}

    /// The patch; empty if the live object is already what the manifest says.
    static ObjectNode between(JsonNode lastApplied, JsonNode wanted, JsonNode live) {
        ObjectNode patch = Json.object();
        lastApplied
                .propertyStream()
                .map(java.util.Map.Entry::getKey)
                .filter(field -> !wanted.has(field) && live.has(field))
                .forEach(patch::putNull);
        wanted.propertyStream().forEach(field -> {
            JsonNode before = lastApplied.path(field.getKey());
            JsonNode there = live.path(field.getKey());
            change(before, field.getValue(), there).ifPresent(change -> patch.set(field.getKey(), change));
        });
        return patch;
    }

    private static Optional<JsonNode> change(JsonNode before, JsonNode wanted, JsonNode live) {
        if (wanted.isObject() && live.isObject()) {
            ObjectNode patch = between(before, wanted, live);
            return patch.isEmpty() ? Optional.empty() : Optional.of(patch);
        }
        JsonNode result = wanted.isArray() && live.isArray() ? list(before, wanted, live) : wanted;
        boolean same = result.equals(live) || (result.isNull() && live.isMissingNode());
        return same ? Optional.empty() : Optional.of(result);
    }

    private static ArrayNode list(JsonNode before, JsonNode wanted, JsonNode live) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (JsonNode item : wanted) {
            list.add(partner(item, live)
                    .map(there -> merged(there, between(partner(item, before).orElse(Json.object()), item, there)))
                    .orElse(item));
        }
        return list;
    }

    private static Optional<JsonNode> partner(JsonNode item, JsonNode list) {
        List<String> identity = identity(item);
        return identity.isEmpty()
                ? Optional.empty()
                : list.valueStream()
                        .filter(other -> identity(other).equals(identity))
                        .findFirst();
    }

    /// What makes two items of a list the same one: port and protocol, or the name; nothing for plain values.
    private static List<String> identity(JsonNode item) {
        for (String number : List.of("port", "containerPort")) {
            if (item.path(number).isNumber()) {
                return List.of(
                        item.path(number).asString(), item.path("protocol").asString("TCP"));
            }
        }
        String name = Json.text(item, "name");
        return name.isEmpty() ? List.of() : List.of(name);
    }

    /// RFC 7386, for an item of a list.
    private static JsonNode merged(JsonNode target, JsonNode patch) {
        ObjectNode result = Json.object();
        List<String> fields = new ArrayList<>(target.propertyNames());
        patch.propertyNames().stream().filter(field -> !target.has(field)).forEach(fields::add);
        for (String field : fields) {
            JsonNode change = patch.path(field);
            if (change.isMissingNode()) {
                result.set(field, target.path(field));
            } else if (change.isObject() && target.path(field).isObject()) {
                result.set(field, merged(target.path(field), change));
            } else if (!change.isNull()) {
                result.set(field, change);
            }
        }
        return result;
    }
}
