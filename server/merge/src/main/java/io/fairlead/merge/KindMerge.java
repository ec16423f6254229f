package io.fairlead.merge;

import io.fairlead.schema.Schemas;
import io.fairlead.schema.StructType;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// All that depends on the fields of a kind when its objects are merged: strategic merge, server-side apply, and who
/// owns which field. The door of this room, beside [JsonPatch] and [MergePatch].
public final class KindMerge {
    private final Schemas schemas;
    private final Optional<StructType> type;
    private final Shape shape;

    /// Of a kind whose schema is unknown every object is a map, and every list is one value.
    public KindMerge(Schemas schemas, String apiVersion, String kindName) {
        this.schemas = schemas;
        this.type = schemas.find(apiVersion, kindName);
        this.shape = type.map(new Shapes(schemas)::of).orElse(Shapes.UNKNOWN);
    }

    /// What `target` becomes by a strategic merge patch; it is changed on the way. Nothing if the kind has no schema,
    /// without which the server cannot know how its lists merge.
    public Optional<ObjectNode> strategic(ObjectNode target, JsonNode patch) {
        return type.map(known -> new StrategicPatch(schemas).apply(known, target, patch));
    }

    /// What `live` becomes by an apply; it may be empty, and is not changed.
    public Applied apply(ObjectNode live, ObjectNode config, ServerSideApply.Request request) {
        return new ServerSideApply(shape, request).apply(live, config);
    }

    /// Writes into `after` that `owner` changed it from `before`, which is empty for a new object.
    public void track(JsonNode before, ObjectNode after, FieldOwner owner, String now) {
        Tracking.track(shape, before, after, new ManagedFieldsEntry(owner, now, FieldSet.EMPTY));
    }
}
