package io.fairlead.http;

import io.fairlead.api.Json;
import io.fairlead.kinds.Column;
import io.fairlead.kinds.KindRules;
import io.fairlead.objects.ApiObject;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Objects as rows and columns, and objects cut down to their metadata (K5, K6).
final class TableFormat {
    private TableFormat() {}

    /// `includeObject` says what comes with each row: `None`, `Metadata` (as when empty) or `Object`.
    static ObjectNode table(KindRules rules, List<ApiObject> objects, String includeObject, Instant now) {
        ObjectNode table = Json.object().put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
        table.putObject("metadata");
        ArrayNode definitions = table.putArray("columnDefinitions");
        rules.columns()
                .forEach(column -> definitions
                        .addObject()
                        .put("name", column.name())
                        .put("type", column.type())
                        .put("format", column.equals(Column.NAME) ? "name" : "")
                        .put("description", "")
                        .put("priority", column.priority()));
        ArrayNode rows = table.putArray("rows");
        objects.forEach(object -> row(rows.addObject(), rules, object, now, includeObject));
        return table;
    }

    static ObjectNode metadataOnly(JsonNode object) {
        ObjectNode partial = Json.object().put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        partial.set("metadata", object.path("metadata"));
        return partial;
    }

    /// The metadata of the list itself is the caller's to fill in.
    static ObjectNode metadataList(List<ApiObject> objects) {
        ObjectNode list = Json.object().put("kind", "PartialObjectMetadataList").put("apiVersion", "meta.k8s.io/v1");
        list.putObject("metadata");
        ArrayNode items = list.putArray("items");
        objects.forEach(object -> items.add(metadataOnly(object.tree())));
        return list;
    }

    private static void row(ObjectNode row, KindRules rules, ApiObject object, Instant now, String includeObject) {
        ArrayNode cells = row.putArray("cells");
        rules.columns().forEach(column -> cells.addPOJO(column.cell().apply(object.tree(), now)));
        switch (includeObject) {
            case "None" -> {}
            case "Object" -> row.set("object", object.tree());
            default -> row.set("object", metadataOnly(object.tree()));
        }
    }
}
