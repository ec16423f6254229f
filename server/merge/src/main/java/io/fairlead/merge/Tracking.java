package io.fairlead.merge;

import io.fairlead.api.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the books of those who create, update and patch: what they change is theirs.
final class Tracking {
    /// What no client owns: it names the object, or the server writes it.
    static final FieldSet UNOWNED = FieldSet.of(Json.parse("""
        {"f:apiVersion": {}, "f:kind": {},
         "f:metadata": {".": {}, "f:name": {}, "f:namespace": {}, "f:uid": {}, "f:creationTimestamp": {},
           "f:generation": {}, "f:resourceVersion": {}, "f:selfLink": {}, "f:managedFields": {}}}
        """));

    private Tracking() {}

    /// `writer` says who writes and when.
    static void track(Shape shape, JsonNode before, ObjectNode after, ManagedFieldsEntry writer) {
        boolean isNew = before.isEmpty();
        Ownership known = known(before, after);
        if (!isNew && known.shares().isEmpty()) {
            // The books were not kept from the start, or a client cleared them: the first apply opens them again.
            known.writeTo(after);
            return;
        }
        Comparison change = Comparison.between(shape, before, after);
        FieldSet written = change.written().minus(UNOWNED);
        if (written.isEmpty() && change.removed().isEmpty()) {
            known.writeTo(after);
            return;
        }
        FieldSet mine = known.of(writer.owner()).minus(change.removed()).union(written);
        known.taking(written.union(change.removed()), writer.owner())
                .with(writer.with(mine))
                .writeTo(after);
    }

    /// A client may write the books themselves; one that leaves them out, or empty, means those of before.
    private static Ownership known(JsonNode before, JsonNode after) {
        JsonNode sent = Json.at(after, "metadata", "managedFields");
        boolean cleared = sent.size() == 1 && sent.path(0).isEmpty();
        return sent.isEmpty() && !cleared ? Ownership.of(before) : Ownership.of(after);
    }
}
