package io.fairlead.kinds;

import io.fairlead.api.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The few ways in which rules write into an object that the validation has not checked yet.
///
/// A field of the wrong type is left as it is, for the validation to name: writes that would go into it go nowhere.
public final class Tree {
    private Tree() {}

    /// The object under `field`, made if there is none.
    public static ObjectNode object(ObjectNode parent, String field) {
        JsonNode value = parent.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return parent.putObject(field);
        }
        return value instanceof ObjectNode object ? object : Json.object();
    }

    /// The objects in the list under `field`.
    public static List<ObjectNode> objects(JsonNode parent, String field) {
        return parent.path(field)
                .valueStream()
                .filter(ObjectNode.class::isInstance)
                .map(ObjectNode.class::cast)
                .toList();
    }

    static void putIfAbsent(ObjectNode parent, String field, String value) {
        if (isEmpty(parent.path(field))) {
            parent.put(field, value);
        }
    }

    static void putIfAbsent(ObjectNode parent, String field, int value) {
        if (isEmpty(parent.path(field))) {
            parent.put(field, value);
        }
    }

    /// The same where a zero means that nothing was said.
    static void putIfAbsentOrZero(ObjectNode parent, String field, int value) {
        JsonNode given = parent.path(field);
        if (isEmpty(given) || (given.isIntegralNumber() && given.asLong(1) == 0)) {
            parent.put(field, value);
        }
    }

    /// Shows a list that is not there as `null`, as Go shows a field that is never left out.
    static void putNullIfAbsent(ObjectNode parent, String field) {
        if (parent.path(field).isMissingNode()
                || (parent.path(field).isArray() && parent.path(field).isEmpty())) {
            parent.putNull(field);
        }
    }

    /// Puts `value` under `field`, or takes the field away where there is no value.
    public static void set(ObjectNode parent, String field, JsonNode value) {
        if (value.isMissingNode()) {
            parent.remove(field);
        } else {
            parent.set(field, value);
        }
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isMissingNode()
                || value.isNull()
                || (value.isString() && value.stringValue().isEmpty());
    }
}
