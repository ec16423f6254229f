package io.fairlead.schema;

import io.fairlead.api.Json;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// Structs as schemas of OpenAPI; `refs` is where its documents keep them.
final class OpenApiSchemas {
    private static final String APIMACHINERY = "io.k8s.apimachinery.pkg.";

    /// The scalars that are schemas of their own.
    static final Map<FieldType.Scalar, String> NAMED = Map.of(
            FieldType.Scalar.INT_OR_STRING, APIMACHINERY + "util.intstr.IntOrString",
            FieldType.Scalar.QUANTITY, APIMACHINERY + "api.resource.Quantity",
            FieldType.Scalar.TIME, APIMACHINERY + "apis.meta.v1.Time",
            FieldType.Scalar.MICRO_TIME, APIMACHINERY + "apis.meta.v1.MicroTime");

    static final String PATCH = APIMACHINERY + "apis.meta.v1.Patch";

    private final String refs;

    OpenApiSchemas(String refs) {
        this.refs = refs;
    }

    ObjectNode reference(String name) {
        return Json.object().put("$ref", refs + name);
    }

    ObjectNode struct(StructType struct) {
        ObjectNode schema = described(Json.object(), struct.description()).put("type", "object");
        ObjectNode properties = Json.object();
        struct.fields().values().forEach(field -> properties.set(field.name(), property(field)));
        struct.fields().values().stream()
                .filter(Field::required)
                .map(Field::name)
                .sorted()
                .forEach(schema.withArrayProperty("required")::add);
        if (schema.path("required").isEmpty()) {
            schema.remove("required");
        }
        if (!properties.isEmpty()) {
            schema.set("properties", properties);
        }
        if (struct.atomic()) {
            schema.put("x-kubernetes-map-type", "atomic");
        }
        return schema;
    }

    private ObjectNode property(Field field) {
        ObjectNode schema = described(type(field.type()), field.description());
        if (!field.defaultValue().isEmpty()) {
            schema.put("default", field.defaultValue());
        }
        addPatching(schema, field.patching());
        return schema;
    }

    private static void addPatching(ObjectNode schema, Field.Patching patching) {
        if (patching.merge() || patching.retainKeys()) {
            String both = patching.merge() ? "merge,retainKeys" : "retainKeys";
            schema.put("x-kubernetes-patch-strategy", patching.retainKeys() ? both : "merge");
        }
        if (!patching.mergeKey().isEmpty()) {
            schema.put("x-kubernetes-patch-merge-key", patching.mergeKey());
        }
    }

    private ObjectNode type(FieldType type) {
        return switch (type) {
            case FieldType.Struct(var name) -> reference(name);
            case FieldType.Scalar scalar -> NAMED.containsKey(scalar) ? reference(NAMED.get(scalar)) : plain(scalar);
            case FieldType.MapOf(var value, var atomic) -> {
                ObjectNode schema = Json.object().put("type", "object");
                schema.set("additionalProperties", type(value));
                yield atomic ? schema.put("x-kubernetes-map-type", "atomic") : schema;
            }
            case FieldType.ListOf(var element, var semantics) -> {
                ObjectNode schema = Json.object().put("type", "array");
                schema.set("items", type(element));
                yield listed(schema, semantics);
            }
        };
    }

    private static ObjectNode listed(ObjectNode schema, FieldType.ListSemantics semantics) {
        switch (semantics) {
            case FieldType.ListSemantics.Atomic _ -> schema.put("x-kubernetes-list-type", "atomic");
            case FieldType.ListSemantics.Set _ -> schema.put("x-kubernetes-list-type", "set");
            case FieldType.ListSemantics.Keyed(var keys) -> {
                schema.put("x-kubernetes-list-type", "map");
                keys.forEach(schema.putArray("x-kubernetes-list-map-keys")::add);
            }
        }
        return schema;
    }

    /// The schema of a scalar where it is defined.
    static ObjectNode plain(FieldType.Scalar scalar) {
        ObjectNode schema = Json.object();
        return switch (scalar) {
            case STRING, QUANTITY -> schema.put("type", "string");
            case INT32, INT64 -> schema.put("type", "integer").put("format", scalar.word());
            case BOOL -> schema.put("type", "boolean");
            case DOUBLE -> schema.put("type", "number").put("format", "double");
            case BYTES -> schema.put("type", "string").put("format", "byte");
            case TIME, MICRO_TIME -> schema.put("type", "string").put("format", "date-time");
            case ANY -> schema.put("type", "object");
            case INT_OR_STRING ->
                schema.put("type", "string").put("format", "int-or-string").put("x-kubernetes-int-or-string", true);
        };
    }

    private static ObjectNode described(ObjectNode schema, String description) {
        return description.isEmpty() ? schema : schema.put("description", description);
    }
}
