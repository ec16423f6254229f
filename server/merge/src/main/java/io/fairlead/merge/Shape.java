package io.fairlead.merge;

import io.fairlead.schema.StructType;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// How a value is put together, as far as owners and patches care: what the schema says of it, ready to be walked.
sealed interface Shape {
    /// One value, with one owner: a number, a text, a list or an object that is atomic.
    record Leaf() implements Shape {}

    /// An object with known fields.
    record Struct(StructType type, Shapes shapes) implements Shape {
        Shape field(String name) {
            return type.find(name).map(field -> shapes.of(field.type())).orElse(Shapes.UNKNOWN);
        }
    }

    /// An object whose keys the client chooses.
    record Mapping(Shape value) implements Shape {}

    /// A list of objects, told apart by some of their fields.
    record Keyed(List<Key> keys, Shape element) implements Shape {
        public Keyed {
            keys = List.copyOf(keys);
        }

        private boolean tellsApart(JsonNode list) {
            return isArrayOrAbsent(list)
                    && list.valueStream()
                            .allMatch(item -> item.isObject() && keys.stream().anyMatch(key -> key.isIn(item)));
        }
    }

    /// A list of values, each of which is there once.
    record Values() implements Shape {}

    /// The schema says nothing: the value itself tells.
    record Unknown() implements Shape {}

    /// A field that tells items apart, and the value that stands for an absent one; a missing node if none does.
    record Key(String field, JsonNode otherwise) {
        JsonNode of(JsonNode item) {
            JsonNode value = item.path(field);
            return value.isMissingNode() || value.isNull() ? otherwise : value;
        }

        private boolean isIn(JsonNode item) {
            return !of(item).isMissingNode();
        }
    }

    /// This shape, or that of one value if `before` or `after` has not the form that it speaks of.
    default Shape fitting(JsonNode before, JsonNode after) {
        return switch (this) {
            case Leaf _ -> this;
            case Struct _, Mapping _ -> isObjectOrAbsent(before) && isObjectOrAbsent(after) ? this : Shapes.LEAF;
            case Keyed keyed -> keyed.tellsApart(before) && keyed.tellsApart(after) ? this : Shapes.LEAF;
            case Values _ -> isArrayOrAbsent(before) && isArrayOrAbsent(after) ? this : Shapes.LEAF;
            case Unknown _ ->
                isObjectOrAbsent(before) && isObjectOrAbsent(after) ? new Mapping(Shapes.UNKNOWN) : Shapes.LEAF;
        };
    }

    /// The shape of what is under a name; only asked of objects.
    default Shape under(String name) {
        return switch (this) {
            case Struct struct -> struct.field(name);
            case Mapping(Shape value) -> value;
            case Leaf _, Keyed _, Values _, Unknown _ -> Shapes.UNKNOWN;
        };
    }

    private static boolean isObjectOrAbsent(JsonNode value) {
        return value.isObject() || value.isMissingNode();
    }

    private static boolean isArrayOrAbsent(JsonNode value) {
        return value.isArray() || value.isMissingNode();
    }
}
