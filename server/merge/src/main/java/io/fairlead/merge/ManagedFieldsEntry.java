package io.fairlead.merge;

import io.fairlead.api.Json;
import io.fairlead.merge.FieldOwner.Operation;
import java.util.Comparator;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One entry of `managedFields`: what one owner has, and when it last wrote.
record ManagedFieldsEntry(FieldOwner owner, String time, FieldSet fields) {
    // Those who apply come first, then the one who wrote longest ago.
    static final Comparator<ManagedFieldsEntry> ORDER = Comparator.comparing(
                    (ManagedFieldsEntry share) -> share.owner.operation())
            .thenComparing(ManagedFieldsEntry::time)
            .thenComparing(share -> share.owner.name())
            .thenComparing(share -> share.owner.subresource())
            .thenComparing(share -> share.owner.apiVersion());

    ManagedFieldsEntry with(FieldSet next) {
        return new ManagedFieldsEntry(owner, time, next);
    }

    ManagedFieldsEntry at(String later) {
        return new ManagedFieldsEntry(owner, later, fields);
    }

    ObjectNode toJson() {
        ObjectNode json = Json.object()
                .put("manager", owner.name())
                .put("operation", owner.operation().toString())
                .put("apiVersion", owner.apiVersion());
        if (!time.isEmpty()) {
            json.put("time", time);
        }
        json.put("fieldsType", "FieldsV1").set("fieldsV1", fields.toJson());
        if (!owner.subresource().isEmpty()) {
            json.put("subresource", owner.subresource());
        }
        return json;
    }

    /// The entry that `json` tells; nothing if it is none.
    static Optional<ManagedFieldsEntry> find(JsonNode json) {
        Operation operation = Json.text(json, "operation").equals("Apply") ? Operation.APPLY : Operation.UPDATE;
        FieldOwner owner = new FieldOwner(
                Json.text(json, "manager"), operation, Json.text(json, "apiVersion"), Json.text(json, "subresource"));
        ManagedFieldsEntry share =
                new ManagedFieldsEntry(owner, Json.text(json, "time"), FieldSet.of(json.path("fieldsV1")));
        return json.path("fieldsV1").isObject() && !share.fields.isEmpty() ? Optional.of(share) : Optional.empty();
    }
}
