package io.fairlead.merge;

import io.fairlead.api.Json;
import io.fairlead.merge.FieldOwner.Operation;
import java.util.Comparator;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One entry of `managedFields`: what one owner has, and when it last wrote.
record Share(FieldOwner owner, String time, FieldSet fields) {
    // Those who apply come first, then the one who wrote longest ago.
    static final Comparator<Share> ORDER = Comparator.comparing((Share share) -> share.owner.operation())
            .thenComparing(Share::time)
            .thenComparing(share -> share.owner.name())
            .thenComparing(share -> share.owner.subresource())
            .thenComparing(share -> share.owner.apiVersion());

    Share with(FieldSet next) {
        return new Share(owner, time, next);
    }

    Share at(String later) {
        return new Share(owner, later, fields);
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
    static Optional<Share> find(JsonNode json) {
        Operation operation = Json.text(json, "operation").equals("Apply") ? Operation.APPLY : Operation.UPDATE;
        FieldOwner owner = new FieldOwner(
                Json.text(json, "manager"), operation, Json.text(json, "apiVersion"), Json.text(json, "subresource"));
        Share share = new Share(owner, Json.text(json, "time"), FieldSet.of(json.path("fieldsV1")));
        return json.path("fieldsV1").isObject() && !share.fields.isEmpty() ? Optional.of(share) : Optional.empty();
    }
}
