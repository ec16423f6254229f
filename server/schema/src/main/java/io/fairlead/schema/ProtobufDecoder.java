package io.fairlead.schema;

import io.fairlead.api.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes the JSON tree of one message, by the fields of its struct.
///
/// Go writes every field that is not a pointer, also those that are empty; JSON leaves these out, and so does this.
final class ProtobufDecoder {
    // Two bytes can ask for an object of a hundred: what they may ask for is bounded as well.
    private static final int MAX_VALUES = 250_000;

    private final Schemas schemas;
    private int values;

    ProtobufDecoder(Schemas schemas) {
        this.schemas = schemas;
    }

    /// Adds the fields of the message to the object.
    void read(StructType message, WireReader reader, ObjectNode into) {
        while (reader.hasMore()) {
            WireReader.Tag tag = reader.tag();
            count();
            List<Field> field = message.fields().values().stream()
                    .filter(candidate -> candidate.number() == tag.number())
                    .toList();
            if (!field.isEmpty()) {
                read(field.getFirst(), tag, reader, into);
            } else {
                readInlined(message, tag, reader, into);
            }
        }
    }

    private void readInlined(StructType message, WireReader.Tag tag, WireReader reader, ObjectNode into) {
        for (StructType.Inlined part : message.inlined()) {
            if (part.number() == tag.number()) {
                expect(WireReader.WireType.LENGTH, tag);
                read(schemas.message(part.struct()), reader.message(), into);
                return;
            }
        }
        reader.skip(tag.type());
    }

    private void read(Field field, WireReader.Tag tag, WireReader reader, ObjectNode into) {
        switch (field.type()) {
            case FieldType.ListOf(var element, var _) ->
                readItems(element, tag, reader, into.withArrayProperty(field.name()));
            case FieldType.MapOf(var value, var _) ->
                readEntry(value, tag, reader, into.withObjectProperty(field.name()));
            case FieldType.Struct(var name) -> {
                expect(WireReader.WireType.LENGTH, tag);
                read(schemas.message(name), reader.message(), into.withObjectProperty(field.name()));
            }
            case FieldType.Scalar scalar -> {
                JsonNode value = ProtobufScalars.read(scalar, tag, reader);
                if (value.isNull()
                        || (ProtobufScalars.isZero(value) && !field.rules().zeroCounts())) {
                    into.remove(field.name());
                } else {
                    into.set(field.name(), value);
                }
            }
        }
    }

    private void readItems(FieldType element, WireReader.Tag tag, WireReader reader, ArrayNode into) {
        boolean packed = tag.type() == WireReader.WireType.LENGTH && ProtobufScalars.isNumber(element);
        if (!packed) {
            into.add(readValue(element, tag, reader));
            return;
        }
        WireReader numbers = reader.message();
        while (numbers.hasMore()) {
            count();
            into.add(readValue(element, new WireReader.Tag(tag.number(), WireReader.WireType.VARINT), numbers));
        }
    }

    private void readEntry(FieldType type, WireReader.Tag tag, WireReader reader, ObjectNode into) {
        expect(WireReader.WireType.LENGTH, tag);
        WireReader entry = reader.message();
        String key = "";
        JsonNode value = ProtobufScalars.zero(type);
        while (entry.hasMore()) {
            WireReader.Tag part = entry.tag();
            switch (part.number()) {
                case 1 ->
                    key = ProtobufScalars.read(FieldType.Scalar.STRING, part, entry)
                            .stringValue();
                case 2 -> value = readValue(type, part, entry);
                default -> entry.skip(part.type());
            }
        }
        into.set(key, value);
    }

    private JsonNode readValue(FieldType type, WireReader.Tag tag, WireReader reader) {
        return switch (type) {
            case FieldType.Scalar scalar -> ProtobufScalars.read(scalar, tag, reader);
            case FieldType.Struct(var name) -> {
                expect(WireReader.WireType.LENGTH, tag);
                ObjectNode object = Json.object();
                read(schemas.message(name), reader.message(), object);
                yield object;
            }
            case FieldType.ListOf(var element, var _) -> readWrappedList(element, tag, reader);
            case FieldType.MapOf _ -> throw new IllegalStateException("protobuf has no map inside a map");
        };
    }

    /// A list inside a map is a message with the items as field 1.
    private JsonNode readWrappedList(FieldType element, WireReader.Tag tag, WireReader reader) {
        expect(WireReader.WireType.LENGTH, tag);
        WireReader list = reader.message();
        ArrayNode items = Json.object().arrayNode();
        while (list.hasMore()) {
            WireReader.Tag part = list.tag();
            count();
            if (part.number() == 1) {
                items.add(readValue(element, part, list));
            } else {
                list.skip(part.type());
            }
        }
        return items;
    }

    static void expect(WireReader.WireType wanted, WireReader.Tag tag) {
        if (tag.type() != wanted) {
            throw new ProtobufException(
                    "field %d is written as %s, not as %s".formatted(tag.number(), tag.type(), wanted));
        }
    }

    private void count() {
        values++;
        if (values > MAX_VALUES) {
            throw new ProtobufException("the body has more than %d values".formatted(MAX_VALUES));
        }
    }
}
