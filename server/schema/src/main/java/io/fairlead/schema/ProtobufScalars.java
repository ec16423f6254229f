package io.fairlead.schema;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Single values between protobuf and JSON. Some of them are small messages on the wire.
final class ProtobufScalars {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final DateTimeFormatter SECONDS = formatter("uuuu-MM-dd'T'HH:mm:ss'Z'");
    private static final DateTimeFormatter MICROS = formatter("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

    private ProtobufScalars() {}

    private static DateTimeFormatter formatter(String pattern) {
        return DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC);
    }

    static boolean isNumber(FieldType type) {
        return type == FieldType.Scalar.INT32 || type == FieldType.Scalar.INT64 || type == FieldType.Scalar.BOOL;
    }

    /// What JSON leaves out unless it counts.
    static boolean isZero(JsonNode value) {
        return (value.isString() && value.stringValue().isEmpty())
                || (value.isIntegralNumber() && value.longValue() == 0)
                || (value.isFloatingPointNumber() && value.doubleValue() == 0)
                || (value.isBoolean() && !value.booleanValue());
    }

    /// What a map entry without a value holds.
    static JsonNode zero(FieldType type) {
        return switch (type) {
            case FieldType.Struct _, FieldType.MapOf _ -> JSON.objectNode();
            case FieldType.ListOf _ -> JSON.arrayNode();
            case FieldType.Scalar scalar ->
                switch (scalar) {
                    case STRING, BYTES -> JSON.stringNode("");
                    case QUANTITY -> JSON.stringNode("0");
                    case INT32, INT64, INT_OR_STRING -> JSON.numberNode(0);
                    case DOUBLE -> JSON.numberNode(0.0);
                    case BOOL -> JSON.booleanNode(false);
                    case TIME, MICRO_TIME, ANY -> JSON.nullNode();
                };
        };
    }

    /// The value that stands behind the tag; null where an empty message stands for nothing.
    static JsonNode read(FieldType.Scalar type, WireReader.Tag tag, WireReader reader) {
        ProtobufDecoder.expect(wireType(type), tag);
        return switch (type) {
            case STRING -> JSON.stringNode(reader.text());
            case INT32 -> JSON.numberNode((int) reader.varint());
            case INT64 -> number(reader.varint());
            case BOOL -> JSON.booleanNode(reader.varint() != 0);
            case DOUBLE -> JSON.numberNode(reader.fixedDouble());
            case BYTES -> JSON.stringNode(java.util.Base64.getEncoder().encodeToString(reader.bytes()));
            case INT_OR_STRING -> intOrString(reader.message());
            case QUANTITY -> quantity(reader.message());
            case TIME -> time(reader.message(), SECONDS);
            case MICRO_TIME -> time(reader.message(), MICROS);
            case ANY -> any(reader.message());
        };
    }

    /// The node that a JSON parser would have made.
    private static JsonNode number(long value) {
        return value == (int) value ? JSON.numberNode((int) value) : JSON.numberNode(value);
    }

    static WireReader.WireType wireType(FieldType.Scalar type) {
        return switch (type) {
            case INT32, INT64, BOOL -> WireReader.WireType.VARINT;
            case DOUBLE -> WireReader.WireType.FIXED64;
            case STRING, BYTES, INT_OR_STRING, QUANTITY, TIME, MICRO_TIME, ANY -> WireReader.WireType.LENGTH;
        };
    }

    /// 1 says whether it is a text, 2 is the number, 3 the text.
    private static JsonNode intOrString(WireReader message) {
        boolean text = false;
        JsonNode number = JSON.numberNode(0);
        JsonNode string = JSON.stringNode("");
        while (message.hasMore()) {
            WireReader.Tag tag = message.tag();
            switch (tag.number()) {
                case 1 -> text = read(FieldType.Scalar.INT64, tag, message).longValue() != 0;
                case 2 -> number = read(FieldType.Scalar.INT32, tag, message);
                case 3 -> string = read(FieldType.Scalar.STRING, tag, message);
                default -> message.skip(tag.type());
            }
        }
        return text ? string : number;
    }

    private static JsonNode quantity(WireReader message) {
        JsonNode text = JSON.nullNode();
        while (message.hasMore()) {
            WireReader.Tag tag = message.tag();
            if (tag.number() == 1) {
                text = read(FieldType.Scalar.STRING, tag, message);
            } else {
                message.skip(tag.type());
            }
        }
        return text;
    }

    /// 1 are the seconds, 2 the nanoseconds; an empty message is no time at all.
    private static JsonNode time(WireReader message, DateTimeFormatter form) {
        if (!message.hasMore()) {
            return JSON.nullNode();
        }
        long seconds = 0;
        long nanos = 0;
        while (message.hasMore()) {
            WireReader.Tag tag = message.tag();
            switch (tag.number()) {
                case 1 -> seconds = read(FieldType.Scalar.INT64, tag, message).longValue();
                case 2 -> nanos = read(FieldType.Scalar.INT32, tag, message).longValue();
                default -> message.skip(tag.type());
            }
        }
        return JSON.stringNode(format(seconds, nanos, form));
    }

    private static String format(long seconds, long nanos, DateTimeFormatter form) {
        try {
            Instant instant = Instant.ofEpochSecond(seconds, nanos);
            int year = instant.atOffset(ZoneOffset.UTC).getYear();
            if (year < 0 || year > 9999) {
                throw new ProtobufException("the year %d is none that a timestamp may have".formatted(year));
            }
            return form.format(instant);
        } catch (DateTimeException | ArithmeticException e) {
            throw new ProtobufException("%d seconds after 1970 are no time".formatted(seconds), e);
        }
    }

    /// 1 is the text of the JSON.
    private static JsonNode any(WireReader message) {
        byte[] text = {};
        while (message.hasMore()) {
            WireReader.Tag tag = message.tag();
            if (tag.number() == 1 && tag.type() == WireReader.WireType.LENGTH) {
                text = message.bytes();
            } else {
                message.skip(tag.type());
            }
        }
        try {
            return text.length == 0 ? JSON.nullNode() : Json.parse(text);
        } catch (ParseException e) {
            throw new ProtobufException("a raw value is " + e.getMessage(), e);
        }
    }
}
