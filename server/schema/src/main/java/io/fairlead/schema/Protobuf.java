package io.fairlead.schema;

import io.fairlead.api.Json;
import java.time.DateTimeException;
import java.util.Arrays;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.JsonNodeException;
import tools.jackson.databind.node.ObjectNode;

/// Bodies of the media type `application/vnd.kubernetes.protobuf`: four bytes that say so, and an envelope that names
/// the kind and holds the object.
public final class Protobuf {
    public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private Protobuf() {}

    /// The JSON tree of a body; a [ProtobufException] says why there is none.
    public static ObjectNode decode(byte[] body) {
        if (!startsWithMagic(body)) {
            throw new ProtobufException("the body does not begin like protobuf of Kubernetes");
        }
        Envelope envelope = Envelope.of(new WireReader(Arrays.copyOfRange(body, MAGIC.length, body.length)));
        StructType kind = kind(envelope.apiVersion(), envelope.kind());
        ObjectNode object = Json.object();
        object.put("apiVersion", envelope.apiVersion()).put("kind", envelope.kind());
        Schemas schemas = Schemas.builtIn();
        new ProtobufDecoder(schemas).read(schemas.message(kind.name()), new WireReader(envelope.raw()), object);
        return object;
    }

    /// The body of an object that says which kind it is; fields that the kind lacks are left out.
    public static byte[] encode(JsonNode object) {
        String apiVersion = Json.text(object, "apiVersion");
        String kindName = Json.text(object, "kind");
        StructType kind = kind(apiVersion, kindName);
        Schemas schemas = Schemas.builtIn();
        WireWriter raw = rawMessage(schemas, kind, object);
        WireWriter envelope = new WireWriter()
                .message(1, new WireWriter().text(1, apiVersion).text(2, kindName))
                .message(2, raw)
                .text(3, "")
                .text(4, "");
        byte[] message = envelope.toBytes();
        byte[] body = Arrays.copyOf(MAGIC, MAGIC.length + message.length);
        System.arraycopy(message, 0, body, MAGIC.length, message.length);
        return body;
    }

    private static WireWriter rawMessage(Schemas schemas, StructType kind, JsonNode object) {
        try {
            return new ProtobufEncoder(schemas).message(schemas.message(kind.name()), object);
        } catch (JsonNodeException | DateTimeException | IllegalArgumentException e) {
            throw new ProtobufException("the object does not fit its kind: " + e.getMessage(), e);
        }
    }

    private static StructType kind(String apiVersion, String name) {
        return Schemas.builtIn()
                .find(apiVersion, name)
                .orElseThrow(() -> new ProtobufException(
                        "no kind \"%s\" is registered for version \"%s\"".formatted(name, apiVersion)));
    }

    private static boolean startsWithMagic(byte[] body) {
        return body.length >= MAGIC.length && Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    /// What is around each object: 1 names its kind, 2 holds it, 3 and 4 would say that it is written otherwise.
    private record Envelope(String apiVersion, String kind, byte[] raw) {
        static Envelope of(WireReader reader) {
            String[] type = {"", ""};
            byte[] raw = {};
            while (reader.hasMore()) {
                WireReader.Tag tag = reader.tag();
                ProtobufDecoder.expect(WireReader.WireType.LENGTH, tag);
                switch (tag.number()) {
                    case 1 -> type = typeMeta(reader.message());
                    case 2 -> raw = reader.bytes();
                    case 3, 4 -> refuse(reader.text());
                    default -> reader.skip(tag.type());
                }
            }
            return new Envelope(type[0], type[1], raw);
        }

        private static String[] typeMeta(WireReader reader) {
            String[] type = {"", ""};
            while (reader.hasMore()) {
                WireReader.Tag tag = reader.tag();
                if (tag.number() <= 2 && tag.type() == WireReader.WireType.LENGTH) {
                    type[tag.number() - 1] = reader.text();
                } else {
                    reader.skip(tag.type());
                }
            }
            return type;
        }

        private static void refuse(String encoding) {
            if (!encoding.isEmpty() && !encoding.equals(MEDIA_TYPE)) {
                throw new ProtobufException("the object inside is written as %s".formatted(encoding));
            }
        }
    }
}
