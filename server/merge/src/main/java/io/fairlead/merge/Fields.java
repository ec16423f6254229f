package io.fairlead.merge;

import tools.jackson.databind.JsonNode;

/// Which places a value fills.
final class Fields {
    private Fields() {}

    /// Every place that an applied value names: what its sender owns from then on.
    static FieldSet of(Shape shape, JsonNode value) {
        return set(shape.fitting(value, value), value);
    }

    private static FieldSet set(Shape shape, JsonNode value) {
        return switch (shape) {
            case Shape.Leaf _, Shape.Unknown _ -> FieldSet.HERE;
            case Shape.Struct _, Shape.Mapping _ -> ofObject(shape, value);
            case Shape.Keyed _, Shape.Values _ -> ofList(shape, value);
        };
    }

    private static FieldSet ofObject(Shape shape, JsonNode object) {
        FieldSet.Builder set = new FieldSet.Builder(false);
        object.propertyStream().forEach(entry -> {
            FieldSet deeper = of(shape.under(entry.getKey()), entry.getValue());
            boolean here = !isNamed(shape, entry.getKey())
                    || (entry.getValue().isContainer() && entry.getValue().isEmpty());
            set.add(PathElement.field(entry.getKey()), here ? deeper.union(FieldSet.HERE) : deeper);
        });
        return set.build();
    }

    private static FieldSet ofList(Shape shape, JsonNode list) {
        FieldSet.Builder set = new FieldSet.Builder(false);
        Items.of(shape, list)
                .forEach((step, item) ->
                        set.add(step, of(Items.element(shape), item).union(FieldSet.HERE)));
        return set.build();
    }

    static boolean isNamed(Shape shape, String field) {
        return shape instanceof Shape.Struct struct && struct.type().find(field).isPresent();
    }
}
