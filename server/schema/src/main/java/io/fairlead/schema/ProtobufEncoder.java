package io.fairlead.schema;

import io.fairlead.api.Json;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Makes the protobuf message of a JSON tree that fits its struct (see [FieldCheck]).
final class ProtobufEncoder {
    private final Schemas schemas;

    ProtobufEncoder(Schemas schemas) {
        this.schemas = schemas;
    }

    /// The message with the fields of the object, in the order of their numbers.
    WireWriter message(StructType message, JsonNode object) {
        WireWriter out = new WireWriter();
        for (StructType.Inlined part : message.inlined()) {
            out.message(part.number(), message(schemas.message(part.struct()), object));
        }
        List<Field> fields = message.fields().values().stream()
                .filter(field -> field.number() > 0)
                .sorted(Comparator.comparingInt(Field::number))
                .toList();
        for (Field field : fields) {
            JsonNode value = object.path(field.name());
            if (!value.isMissingNode() && !value.isNull()) {
                write(field.type(), field.number(), value, out);
            }
        }
        return out;
    }

    private void write(FieldType type, int number, JsonNode value, WireWriter out) {
        switch (type) {
            case FieldType.Scalar scalar -> write(scalar, number, value, out);
            case FieldType.Struct(var name) -> out.message(number, message(schemas.message(name), value));
            case FieldType.ListOf(var element, var _) ->
                value.valueStream().forEach(item -> write(element, number, item, out));
            case FieldType.MapOf(var element, var _) ->
                value.propertyStream()
                        .sorted(Map.Entry.comparingByKey())
                        .forEach(entry -> out.message(number, entry(element, entry)));
        }
    }

    private WireWriter entry(FieldType type, Map.Entry<String, JsonNode> entry) {
        WireWriter out = new WireWriter().text(1, entry.getKey());
        if (type instanceof FieldType.ListOf) {
            WireWriter wrapped = new WireWriter();
            write(type, 1, entry.getValue(), wrapped);
            return out.message(2, wrapped);
        }
        if (!entry.getValue().isNull()) {
            write(type, 2, entry.getValue(), out);
        }
        return out;
    }

    private static void write(FieldType.Scalar type, int number, JsonNode value, WireWriter out) {
        switch (type) {
            case STRING -> out.text(number, value.stringValue());
            case INT32, INT64 -> out.number(number, value.longValue());
            case BOOL -> out.flag(number, value.booleanValue());
            case DOUBLE -> out.fixedDouble(number, value.doubleValue());
            case BYTES -> out.bytes(number, Base64.getDecoder().decode(value.stringValue()));
            case INT_OR_STRING -> out.message(number, intOrString(value));
            case QUANTITY -> out.message(number, new WireWriter().text(1, value.asString()));
            case TIME, MICRO_TIME -> out.message(number, time(value.stringValue()));
            case ANY -> out.message(number, new WireWriter().bytes(1, Json.bytes(value)));
        }
    }

    private static WireWriter intOrString(JsonNode value) {
        boolean text = value.isString();
        return new WireWriter()
                .number(1, text ? 1 : 0)
                .number(2, text ? 0 : value.longValue())
                .text(3, text ? value.stringValue() : "");
    }

    private static WireWriter time(String text) {
        Instant instant = OffsetDateTime.parse(text).toInstant();
        return new WireWriter().number(1, instant.getEpochSecond()).number(2, instant.getNano());
    }
}
