package io.fairlead.apiserver;

import io.fairlead.api.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// How the events of one watch look: with whole objects, with rows of a table, or with metadata alone.
record EventFormat(Representation representation, KindRules rules, String includeObject, Stamp stamp) {

    /// The line of one event; a whole object is not serialised again.
    byte[] event(CacheEvent.Seen seen) {
        byte[] object = switch (representation) {
            case OBJECT, YAML -> seen.object().json();
            case TABLE -> Json.bytes(row(seen.object()));
            case METADATA -> Json.bytes(TableFormat.metadataOnly(seen.object().tree()));
        };
        return line(seen.type().name(), object);
    }

    static byte[] line(String type, byte[] object) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(object.length + 40);
        line.writeBytes(("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.US_ASCII));
        line.writeBytes(object);
        line.writeBytes("}\n".getBytes(StandardCharsets.US_ASCII));
        return line.toByteArray();
    }

    private ObjectNode row(ApiObject object) {
        ObjectNode table = TableFormat.table(rules, List.of(object), includeObject, stamp.now());
        Tree.object(table, "metadata").put("resourceVersion", object.revision().toString());
        return table;
    }
}
