package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.api.Revision;
import io.fairlead.kinds.KindRules;
import io.fairlead.kinds.Stamp;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.CacheEvent;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// How the events of one watch look: with whole objects, with rows of a table, or with metadata alone.
record EventFormat(Form form, KindRules rules, KindFace face, Stamp stamp) {

    /// What a client asked for: `includeObject` says what comes with the row of a table.
    record Form(Representation representation, String includeObject) {}

    /// The line of a change; one with a whole object is the same array for every watch.
    byte[] event(CacheEvent event, CacheEvent.Seen seen) {
        boolean shared = form.representation == Representation.OBJECT && face.isPlain();
        return shared ? event.line(seen) : CacheEvent.line(seen.type().name(), json(seen.object()));
    }

    /// The line that tells of an object that was there before the watch.
    byte[] added(ApiObject object) {
        return CacheEvent.line("ADDED", json(object));
    }

    byte[] bookmark(Revision revision, boolean endOfState) {
        ObjectNode object = Json.object()
                .put("kind", face.served().name())
                .put("apiVersion", face.served().apiVersion());
        ObjectNode metadata = object.putObject("metadata").put("resourceVersion", revision.toString());
        metadata.putNull("creationTimestamp");
        if (endOfState) {
            metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
        }
        return CacheEvent.line("BOOKMARK", Json.bytes(object));
    }

    private byte[] json(ApiObject object) {
        return switch (form.representation) {
            case OBJECT, YAML -> face.show(object).json();
            case TABLE -> Json.bytes(row(object));
            case METADATA -> Json.bytes(TableFormat.metadataOnly(object.tree()));
        };
    }

    private ObjectNode row(ApiObject object) {
        ObjectNode table = TableFormat.table(rules, List.of(object), form.includeObject, stamp.now());
        Tree.object(table, "metadata").put("resourceVersion", object.revision().toString());
        return table;
    }
}
