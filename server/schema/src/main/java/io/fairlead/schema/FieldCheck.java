package io.fairlead.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Holds a body against the fields of its kind.
public final class FieldCheck {
    private final Schemas schemas;
    private final List<String> unknown = new ArrayList<>();
    private final List<String> wrongTypes = new ArrayList<>();

    private FieldCheck(Schemas schemas) {
        this.schemas = schemas;
    }

    /// The faults of a body that should be of the kind.
    public static FieldFaults of(StructType kind, JsonNode body) {
        FieldCheck check = new FieldCheck(Schemas.builtIn());
        if (body.isObject()) {
            check.fields(kind, body, null);
        } else {
            check.wrongTypes.add("json: cannot unmarshal %s into Go value of type %s"
                    .formatted(JsonWords.of(body), JsonWords.goName(kind.name())));
        }
        return new FieldFaults(check.unknown, check.wrongTypes);
    }

    private void fields(StructType struct, JsonNode object, @Nullable Place place) {
        String goName = struct.shortName();
        for (Map.Entry<String, JsonNode> property : object.properties()) {
            Place inside = Place.field(place, goName, property.getKey());
            Optional<Field> field = struct.find(property.getKey());
            if (field.isPresent()) {
                value(field.get().type(), property.getValue(), inside);
            } else {
                unknown.add("unknown field \"%s\"".formatted(inside.path()));
            }
        }
    }

    private void value(FieldType type, JsonNode node, Place place) {
        // A null means that the field is absent, whatever its type.
        if (node.isNull()) {
            return;
        }
        switch (type) {
            case FieldType.Scalar scalar ->
                ScalarCheck.fault(scalar, node, place).ifPresent(wrongTypes::add);
            case FieldType.Struct struct when node.isObject() -> fields(schemas.struct(struct), node, place);
            case FieldType.ListOf(var element, var _) when node.isArray() -> items(element, node, place);
            case FieldType.MapOf(var value, var _)
            when node.isObject() ->
                node.propertyStream().forEach(entry -> value(value, entry.getValue(), place.entry(entry.getKey())));
            case FieldType.Struct _, FieldType.ListOf _, FieldType.MapOf _ ->
                wrongTypes.add(place.mismatch(node, type));
        }
    }

    private void items(FieldType element, JsonNode list, Place place) {
        for (int i = 0; i < list.size(); i++) {
            value(element, list.get(i), place.item(i));
        }
    }

    /// Where in the body we are: as users read it (`spec.ports[0].port`), and as Go names it (`ServicePort` and
    /// `spec.ports.port`). Spelled only when there is a fault: most bodies have none.
    record Place(@Nullable Place outside, Step step, String name, String goStruct) {
        enum Step {
            FIELD,
            ENTRY,
            ITEM
        }

        static Place field(@Nullable Place outside, String struct, String name) {
            return new Place(outside, Step.FIELD, name, struct);
        }

        Place entry(String key) {
            return new Place(this, Step.ENTRY, key, goStruct);
        }

        Place item(int index) {
            return new Place(this, Step.ITEM, "[" + index + "]", goStruct);
        }

        String path() {
            return outside == null ? name : outside.path() + (step == Step.ITEM ? name : "." + name);
        }

        private String goPath() {
            if (outside == null) {
                return name;
            }
            return step == Step.FIELD ? outside.goPath() + "." + name : outside.goPath();
        }

        String mismatch(JsonNode found, FieldType wanted) {
            return "json: cannot unmarshal %s into Go struct field %s.%s of type %s"
                    .formatted(JsonWords.of(found, wanted), goStruct, goPath(), JsonWords.goType(wanted));
        }
    }
}
