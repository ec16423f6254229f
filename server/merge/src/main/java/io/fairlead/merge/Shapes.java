package io.fairlead.merge;

import io.fairlead.api.Json;
import io.fairlead.schema.FieldType;
import io.fairlead.schema.FieldType.ListSemantics;
import io.fairlead.schema.Schemas;
import io.fairlead.schema.StructType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.StringNode;

/// The shapes of all types of a schema, each made when it is first asked for.
final class Shapes {
    static final Shape LEAF = new Shape.Leaf();
    static final Shape UNKNOWN = new Shape.Unknown();

    private final Schemas schemas;
    private final Map<FieldType, Shape> known = new ConcurrentHashMap<>();

    Shapes(Schemas schemas) {
        this.schemas = schemas;
    }

    Shape of(StructType type) {
        return type.atomic() ? LEAF : new Shape.Struct(type, this);
    }

    Shape of(FieldType type) {
        Shape shape = known.get(type);
        if (shape == null) {
            // Not computeIfAbsent: a type may hold itself.
            shape = make(type);
            known.put(type, shape);
        }
        return shape;
    }

    private Shape make(FieldType type) {
        return switch (type) {
            case FieldType.Scalar scalar -> scalar == FieldType.Scalar.ANY ? UNKNOWN : LEAF;
            case FieldType.Struct struct -> of(schemas.struct(struct));
            case FieldType.MapOf(FieldType value, boolean atomic) -> atomic ? LEAF : new Shape.Mapping(of(value));
            case FieldType.ListOf(FieldType element, ListSemantics semantics) -> list(element, semantics);
        };
    }

    private Shape list(FieldType element, ListSemantics semantics) {
        return switch (semantics) {
            case ListSemantics.Atomic _ -> LEAF;
            case ListSemantics.Set _ -> new Shape.Values();
            case ListSemantics.Keyed(List<String> keys) ->
                new Shape.Keyed(keys.stream().map(key -> key(key, element)).toList(), of(element));
        };
    }

    private Shape.Key key(String name, FieldType element) {
        JsonNode otherwise = element instanceof FieldType.Struct struct
                ? schemas.struct(struct)
                        .find(name)
                        .map(field -> value(field.defaultValue(), field.type()))
                        .orElse(MissingNode.getInstance())
                : MissingNode.getInstance();
        return new Shape.Key(name, otherwise);
    }

    private static JsonNode value(String text, FieldType type) {
        if (text.isEmpty()) {
            return MissingNode.getInstance();
        }
        return type == FieldType.Scalar.STRING ? StringNode.valueOf(text) : Json.parse(text);
    }
}
