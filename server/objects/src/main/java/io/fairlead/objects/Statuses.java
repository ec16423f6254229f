package io.fairlead.objects;

import io.fairlead.api.Json;
import tools.jackson.databind.node.ObjectNode;

/// The answers that say no more than that something was done.
public final class Statuses {
    private Statuses() {}

    public static ObjectNode success() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", "Success").put("code", 200);
    }

    /// The same, about an object that is gone.
    public static ObjectNode success(ApiObject object) {
        ObjectNode status = success();
        ObjectNode details =
                status.putObject("details").put("name", object.key().name());
        if (!object.kind().group().isEmpty()) {
            details.put("group", object.kind().group());
        }
        details.put("kind", object.kind().plural()).put("uid", object.uid());
        return status;
    }
}
