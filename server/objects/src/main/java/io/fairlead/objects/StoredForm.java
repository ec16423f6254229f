package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.node.ObjectNode;

/// How an object lies in the store: JSON without spaces, with kind, apiVersion and metadata first, and without the
/// revision, which the store knows.
///
/// A read that only passes objects on need not parse them whole: the head is at the front, and the revision is set in
/// where the metadata end. Most of a server's start is saved by that (docs/decisions/013).
final class StoredForm {
    private static final JsonFactory JSON = new JsonFactory();

    /// What the front of a stored object tells: its head, and where its metadata end.
    record Front(ObjectHead head, int metadataEnd) {}

    private StoredForm() {}

    /// The tree whose bytes are stored for an object; `tree` itself stays as it is.
    static ObjectNode of(Kind kind, ObjectNode tree) {
        ObjectNode sorted = Json.object().put("kind", kind.name()).put("apiVersion", kind.apiVersion());
        ObjectNode metadata = sorted.putObject("metadata");
        tree.path("metadata").properties().forEach(field -> metadata.set(field.getKey(), field.getValue()));
        metadata.remove("resourceVersion");
        tree.properties().forEach(field -> sorted.putIfAbsent(field.getKey(), field.getValue()));
        return sorted;
    }

    /// The same bytes with the revision in the metadata, as clients see them.
    static byte[] at(Revision revision, byte[] value, int metadataEnd) {
        byte[] field = (",\"resourceVersion\":\"" + revision + "\"").getBytes(StandardCharsets.US_ASCII);
        byte[] whole = new byte[value.length + field.length];
        System.arraycopy(value, 0, whole, 0, metadataEnd);
        System.arraycopy(field, 0, whole, metadataEnd, field.length);
        System.arraycopy(value, metadataEnd, whole, metadataEnd + field.length, value.length - metadataEnd);
        return whole;
    }

    /// Reads the front of a value; nothing if it was not written by [#of], but by an earlier release or another hand.
    static Optional<Front> read(Kind kind, byte[] value) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), value)) {
            boolean ordered = parser.nextToken() == JsonToken.START_OBJECT
                    && isField(parser, "kind", kind.name())
                    && isField(parser, "apiVersion", kind.apiVersion())
                    && "metadata".equals(parser.nextName())
                    && parser.nextToken() == JsonToken.START_OBJECT;
            return ordered ? new FrontReader(parser).read(value) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static boolean isField(JsonParser parser, String name, String text) {
        return name.equals(parser.nextName()) && text.equals(parser.nextStringValue());
    }

    /// Reads metadata, field after field.
    private static final class FrontReader {
        private final JsonParser parser;
        private final Map<String, String> labels = new HashMap<>();
        private final List<String> owners = new ArrayList<>();
        private String namespace = "";
        private String name = "";
        private boolean terminating;
        private boolean usual = true;

        FrontReader(JsonParser parser) {
            this.parser = parser;
        }

        Optional<Front> read(byte[] value) {
            for (String field = parser.nextName(); field != null; field = parser.nextName()) {
                read(field);
            }
            int end = (int) parser.currentLocation().getByteOffset() - 1;
            boolean whole = usual && !name.isEmpty() && value[end] == '}';
            return whole
                    ? Optional.of(new Front(
                            new ObjectHead(new NamespacedName(namespace, name), labels, owners, terminating), end))
                    : Optional.empty();
        }

        private void read(String field) {
            switch (field) {
                case "name" -> name = text();
                case "namespace" -> namespace = text();
                case "deletionTimestamp" -> terminating = !text().isEmpty();
                case "labels" -> readLabels();
                case "ownerReferences" -> readOwners();
                case "resourceVersion" -> usual = false;
                default -> {
                    parser.nextToken();
                    parser.skipChildren();
                }
            }
        }

        private String text() {
            String text = parser.nextStringValue();
            usual &= text != null;
            return text == null ? "" : text;
        }

        private void readLabels() {
            usual &= parser.nextToken() == JsonToken.START_OBJECT;
            for (String label = parser.nextName(); usual && label != null; label = parser.nextName()) {
                labels.put(label, text());
            }
        }

        private void readOwners() {
            usual &= parser.nextToken() == JsonToken.START_ARRAY;
            while (usual && parser.nextToken() == JsonToken.START_OBJECT) {
                for (String field = parser.nextName(); field != null; field = parser.nextName()) {
                    if (field.equals("uid")) {
                        owners.add(text());
                    } else {
                        parser.nextToken();
                        parser.skipChildren();
                    }
                }
            }
        }
    }
}
