package io.fairlead.kinds;

import io.fairlead.api.Json;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What a namespace that is being deleted says about what is still in it.
public final class NamespaceConditions {
    private NamespaceConditions() {}

    /// The namespace with what holds it up: `left` are counts by resource, `finalizers` by finalizer. A condition that
    /// stays as it was keeps its time.
    public static ObjectNode tell(
            JsonNode namespace, Map<String, Integer> left, Map<String, Integer> finalizers, String now) {
        ObjectNode next = (ObjectNode) namespace.deepCopy();
        ArrayNode conditions = Json.object().putArray("conditions");
        List<JsonNode> before =
                Json.at(namespace, "status", "conditions").valueStream().toList();
        SortedMap<String, ObjectNode> wanted = new TreeMap<>();
        put(
                wanted,
                "NamespaceDeletionDiscoveryFailure",
                false,
                "ResourcesDiscovered",
                "All resources successfully discovered");
        put(
                wanted,
                "NamespaceDeletionGroupVersionParsingFailure",
                false,
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed");
        put(
                wanted,
                "NamespaceDeletionContentFailure",
                false,
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization");
        put(
                wanted,
                "NamespaceContentRemaining",
                !left.isEmpty(),
                left.isEmpty() ? "ContentRemoved" : "SomeResourcesRemain",
                left.isEmpty()
                        ? "All content successfully removed"
                        : "Some resources are remaining: " + listed(left, "%s has %d resource instances"));
        put(
                wanted,
                "NamespaceFinalizersRemaining",
                !finalizers.isEmpty(),
                finalizers.isEmpty() ? "ContentHasNoFinalizers" : "SomeFinalizersRemain",
                finalizers.isEmpty()
                        ? "All content-preserving finalizers finished"
                        : "Some content in the namespace has finalizers remaining: "
                                + listed(finalizers, "%s in %d resource instances"));
        wanted.values().forEach(condition -> conditions.add(timed(condition, before, now)));
        Tree.object(next, "status").set("conditions", conditions);
        return next;
    }

    private static String listed(Map<String, Integer> counts, String form) {
        return new TreeMap<>(counts)
                .entrySet().stream()
                        .map(entry -> form.formatted(entry.getKey(), entry.getValue()))
                        .collect(Collectors.joining(", "));
    }

    private static void put(
            Map<String, ObjectNode> wanted, String type, boolean status, String reason, String message) {
        wanted.put(
                type,
                Json.object()
                        .put("type", type)
                        .put("status", status ? "True" : "False")
                        .put("reason", reason)
                        .put("message", message));
    }

    private static ObjectNode timed(ObjectNode condition, List<JsonNode> before, String now) {
        String since = before.stream()
                .filter(old -> Json.text(old, "type").equals(Json.text(condition, "type"))
                        && Json.text(old, "status").equals(Json.text(condition, "status")))
                .map(old -> Json.text(old, "lastTransitionTime"))
                .findFirst()
                .orElse(now);
        return condition.put("lastTransitionTime", since);
    }
}
