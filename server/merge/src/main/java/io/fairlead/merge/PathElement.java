package io.fairlead.merge;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One step from a value into it, spelled as `managedFields` spell it: `f:spec`, `k:{"port":80,"protocol":"TCP"}`,
/// `v:"example.com/wait"`.
///
/// The spelling is canonical (keys sorted, no spaces), so that equal steps are equal texts.
final class PathElement {
    private PathElement() {}

    static String field(String name) {
        return "f:" + name;
    }

    static String value(JsonNode value) {
        return "v:" + value;
    }

    /// The step to an item of a keyed list.
    static String key(List<Shape.Key> keys, JsonNode item) {
        Map<String, JsonNode> found = new TreeMap<>();
        for (Shape.Key key : keys) {
            JsonNode value = key.of(item);
            if (!value.isMissingNode()) {
                found.put(key.field(), value);
            }
        }
        return "k:" + Json.object().setAll(found);
    }

    /// The name that a step to a field holds.
    static String name(String element) {
        return element.substring(2);
    }

    static boolean isField(String element) {
        return element.startsWith("f:");
    }

    /// As messages spell it: `.spec`, `[port=80,protocol="TCP"]`, `[="example.com/wait"]`.
    static String shown(String element) {
        String rest = element.substring(Math.min(2, element.length()));
        return switch (element.substring(0, Math.min(2, element.length()))) {
            case "f:" -> "." + rest;
            case "v:" -> "[=" + rest + "]";
            case "k:" -> "[" + pairs(rest) + "]";
            default -> "[" + rest + "]";
        };
    }

    private static String pairs(String json) {
        try {
            return Json.parse(json) instanceof ObjectNode object
                    ? object.propertyStream()
                            .map(entry -> entry.getKey() + "=" + entry.getValue())
                            .collect(Collectors.joining(","))
                    : json;
        } catch (ParseException e) {
            // A client wrote the managedFields by hand: shown as it stands.
            return json;
        }
    }
}
