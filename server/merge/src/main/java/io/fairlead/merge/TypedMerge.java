package io.fairlead.merge;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// Lays one value over another, place by place, and takes places away again.
final class TypedMerge {
    private TypedMerge() {}

    /// `live` with all that `applied` says; neither is changed, but the result may share parts with both.
    static JsonNode merge(Shape shape, JsonNode live, JsonNode applied) {
        if (live.isMissingNode() || applied.isMissingNode()) {
            return applied.isMissingNode() ? live : applied;
        }
        Shape fitting = shape.fitting(live, applied);
        return switch (fitting) {
            case Shape.Leaf _, Shape.Unknown _ -> applied;
            case Shape.Struct _, Shape.Mapping _ -> objects(fitting, live, applied);
            case Shape.Keyed _, Shape.Values _ -> lists(fitting, live, applied);
        };
    }

    private static JsonNode objects(Shape shape, JsonNode live, JsonNode applied) {
        ObjectNode merged = JsonNodeFactory.instance.objectNode();
        live.propertyStream()
                .forEach(entry -> merged.set(
                        entry.getKey(),
                        merge(shape.under(entry.getKey()), entry.getValue(), applied.path(entry.getKey()))));
        applied.propertyStream().forEach(entry -> merged.putIfAbsent(entry.getKey(), entry.getValue()));
        return merged;
    }

    /// Applied items stand in the order in which they were applied; the others stay before the item that they were
    /// before.
    private static JsonNode lists(Shape shape, JsonNode live, JsonNode applied) {
        SequencedMap<String, JsonNode> next = Items.distinct(shape, applied);
        Map<String, JsonNode> old = Items.of(shape, live);
        SequencedMap<String, JsonNode> waiting = new LinkedHashMap<>(next);
        ArrayNode merged = JsonNodeFactory.instance.arrayNode();
        for (JsonNode item : live) {
            String step = Items.step(shape, item);
            if (!next.containsKey(step)) {
                merged.add(item);
            } else if (waiting.containsKey(step)) {
                moveUpTo(step, waiting, merged, shape, old);
            }
        }
        moveUpTo("", waiting, merged, shape, old);
        return merged;
    }

    /// Moves the applied items up to and with `last` to the result; all that wait if it is none of them.
    private static void moveUpTo(
            String last,
            SequencedMap<String, JsonNode> waiting,
            ArrayNode merged,
            Shape shape,
            Map<String, JsonNode> old) {
        boolean more = !waiting.isEmpty();
        while (more) {
            Map.Entry<String, JsonNode> first = waiting.pollFirstEntry();
            JsonNode before = old.getOrDefault(first.getKey(), MissingNode.getInstance());
            merged.add(merge(Items.element(shape), before, first.getValue()));
            more = !first.getKey().equals(last) && !waiting.isEmpty();
        }
    }

    /// `value` without the places of `set`; a missing node if nothing of a container is left.
    static JsonNode remove(Shape shape, JsonNode value, FieldSet set) {
        if (set.below().isEmpty()) {
            return value;
        }
        Shape fitting = shape.fitting(value, value);
        JsonNode left = switch (fitting) {
            case Shape.Leaf _, Shape.Unknown _ -> value;
            case Shape.Struct _, Shape.Mapping _ -> fromObject(fitting, value, set);
            case Shape.Keyed _, Shape.Values _ -> fromList(fitting, value, set);
        };
        return left.isContainer() && left.isEmpty() ? MissingNode.getInstance() : left;
    }

    private static JsonNode fromObject(Shape shape, JsonNode object, FieldSet set) {
        ObjectNode left = JsonNodeFactory.instance.objectNode();
        object.propertyStream().forEach(entry -> {
            FieldSet inside = set.at(PathElement.field(entry.getKey()));
            JsonNode rest = inside.member()
                    ? MissingNode.getInstance()
                    : remove(shape.under(entry.getKey()), entry.getValue(), inside);
            if (!rest.isMissingNode()) {
                left.set(entry.getKey(), rest);
            }
        });
        return left;
    }

    private static JsonNode fromList(Shape shape, JsonNode list, FieldSet set) {
        ArrayNode left = JsonNodeFactory.instance.arrayNode();
        for (JsonNode item : list) {
            FieldSet inside = set.at(Items.step(shape, item));
            JsonNode rest = inside.member() ? MissingNode.getInstance() : remove(Items.element(shape), item, inside);
            if (!rest.isMissingNode()) {
                left.add(rest);
            }
        }
        return left;
    }
}
