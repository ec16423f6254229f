package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// What is asked of every object, again and again: it is kept beside the bytes, so that no reader has to parse them for
/// it.
///
/// `owners` are the uids of those that the object belongs to.
record ObjectHead(NamespacedName key, Map<String, String> labels, List<String> owners, boolean terminating) {
    ObjectHead {
        labels = Map.copyOf(labels);
        owners = List.copyOf(owners);
    }

    static ObjectHead of(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return new ObjectHead(
                new NamespacedName(Json.text(metadata, "namespace"), Json.text(metadata, "name")),
                Json.map(metadata, "labels"),
                Json.list(metadata, reference -> Json.text(reference, "uid"), "ownerReferences"),
                !Json.text(metadata, "deletionTimestamp").isEmpty());
    }
}
