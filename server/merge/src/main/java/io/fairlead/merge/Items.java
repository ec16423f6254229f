package io.fairlead.merge;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import tools.jackson.databind.JsonNode;

/// The items of a list that is no single value, each under the step that leads to it.
final class Items {
    private Items() {}

    /// Where nothing tells two items apart, the first is the one that is seen.
    static SequencedMap<String, JsonNode> of(Shape shape, JsonNode list) {
        SequencedMap<String, JsonNode> items = new LinkedHashMap<>();
        for (JsonNode item : list) {
            items.putIfAbsent(step(shape, item), item);
        }
        return items;
    }

    /// The same, of a list that a client wrote: an item that is there twice is refused.
    static SequencedMap<String, JsonNode> distinct(Shape shape, JsonNode list) {
        SequencedMap<String, JsonNode> items = of(shape, list);
        if (items.size() < list.size()) {
            throw MergeException.malformed(
                    "a list has two items that cannot be told apart: " + firstDuplicate(shape, list));
        }
        return items;
    }

    static String step(Shape shape, JsonNode item) {
        return shape instanceof Shape.Keyed keyed ? PathElement.key(keyed.keys(), item) : PathElement.value(item);
    }

    static Shape element(Shape shape) {
        return shape instanceof Shape.Keyed keyed ? keyed.element() : Shapes.LEAF;
    }

    private static String firstDuplicate(Shape shape, JsonNode list) {
        Map<String, JsonNode> seen = new LinkedHashMap<>();
        for (JsonNode item : list) {
            String step = step(shape, item);
            if (seen.put(step, item) != null) {
                return PathElement.shown(step);
            }
        }
        return "";
    }
}
