package io.fairlead.schema;

import tools.jackson.databind.JsonNode;

/// What messages call the values of JSON and the types of fields: clients know them in the words of Go.
final class JsonWords {
    private JsonWords() {}

    /// What stands in the body; a number is spelt out only where another number was wanted.
    static String of(JsonNode node, FieldType wanted) {
        boolean spelt = node.isNumber() && (wanted == FieldType.Scalar.INT32 || wanted == FieldType.Scalar.INT64);
        return spelt ? "number " + node.asString() : of(node);
    }

    static String of(JsonNode node) {
        if (node.isObject()) {
            return "object";
        }
        if (node.isArray()) {
            return "array";
        }
        if (node.isBoolean()) {
            return "bool";
        }
        if (node.isNumber()) {
            return "number";
        }
        return node.isNull() ? "null" : "string";
    }

    static String goType(FieldType type) {
        return switch (type) {
            case FieldType.Scalar scalar -> goScalar(scalar);
            case FieldType.Struct(var name) -> goName(name);
            case FieldType.ListOf(var element, var _) -> "[]" + goType(element);
            case FieldType.MapOf(var value, var _) -> "map[string]" + goType(value);
        };
    }

    private static String goScalar(FieldType.Scalar type) {
        return switch (type) {
            case STRING, INT32, INT64, BOOL -> type.word();
            case DOUBLE -> "float64";
            case BYTES -> "[]uint8";
            case INT_OR_STRING -> "intstr.IntOrString";
            case QUANTITY -> "resource.Quantity";
            case TIME -> "v1.Time";
            case MICRO_TIME -> "v1.MicroTime";
            case ANY -> "interface {}";
        };
    }

    /// The last two words of an OpenAPI name: `v1.ServiceSpec`.
    static String goName(String name) {
        return name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1);
    }
}
