package io.fairlead.schema;

import io.fairlead.api.ParseException;
import io.fairlead.api.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Brings an object into the form in which it is kept: without the fields that its kind does not have, without those
/// that say nothing, and with quantities in their shortest form.
public final class Pruning {
    private final Schemas schemas = Schemas.builtIn();

    private Pruning() {}

    /// Changes `object` itself.
    public static void prune(StructType kind, ObjectNode object) {
        new Pruning().fields(kind, object);
    }

    private void fields(StructType struct, ObjectNode object) {
        List<String> gone = new ArrayList<>();
        for (Map.Entry<String, JsonNode> property : object.properties()) {
            Optional<Field> field = struct.find(property.getKey());
            if (field.isEmpty() || isEmpty(field.get(), property.getValue())) {
                gone.add(property.getKey());
            } else {
                property.setValue(value(field.get().type(), property.getValue()));
            }
        }
        object.remove(gone);
    }

    /// True of an empty text, list or map that a field would not show: a client cannot tell it from an absent one.
    private static boolean isEmpty(Field field, JsonNode value) {
        if (field.required() || field.rules().zeroCounts()) {
            return false;
        }
        return switch (field.type()) {
            case FieldType.Scalar scalar ->
                scalar == FieldType.Scalar.STRING
                        && value.isString()
                        && value.stringValue().isEmpty();
            case FieldType.ListOf _ -> value.isArray() && value.isEmpty();
            case FieldType.MapOf _ -> value.isObject() && value.isEmpty();
            case FieldType.Struct _ -> false;
        };
    }

    private JsonNode value(FieldType type, JsonNode node) {
        switch (type) {
            case FieldType.Scalar scalar -> {
                return scalar == FieldType.Scalar.QUANTITY ? quantity(node) : node;
            }
            case FieldType.Struct struct -> {
                if (node instanceof ObjectNode object) {
                    fields(schemas.struct(struct), object);
                }
            }
            case FieldType.ListOf(var element, var _) -> {
                if (node instanceof ArrayNode list) {
                    for (int i = 0; i < list.size(); i++) {
                        list.set(i, value(element, list.get(i)));
                    }
                }
            }
            case FieldType.MapOf(var element, var _) -> {
                if (node instanceof ObjectNode map) {
                    map.properties().forEach(entry -> entry.setValue(value(element, entry.getValue())));
                }
            }
        }
        return node;
    }

    /// `1000m` and `1` are one amount, and so written as one.
    private static JsonNode quantity(JsonNode node) {
        try {
            return node.isString() || node.isNumber() ? StringNode.valueOf(Quantity.canonical(node.asString())) : node;
        } catch (ParseException e) {
            return node; // not of its type: the field check says so
        }
    }
}
