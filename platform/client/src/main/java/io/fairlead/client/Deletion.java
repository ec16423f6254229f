package io.fairlead.client;

import io.fairlead.api.Json;
import tools.jackson.databind.node.ObjectNode;

/// How to delete: `gracePeriodSeconds` below 0 leaves it to the object, an empty `uid` means any object of the name.
public record Deletion(int gracePeriodSeconds, String uid) {
    public static final Deletion DEFAULT = new Deletion(-1, "");

    public static Deletion graceOf(int seconds) {
        return new Deletion(seconds, "");
    }

    /// Deletes this very object, not a later one of the same name.
    public static Deletion only(String uid) {
        return new Deletion(-1, uid);
    }

    ObjectNode json() {
        ObjectNode json = Json.object().put("kind", "DeleteOptions").put("apiVersion", "v1");
        if (gracePeriodSeconds >= 0) {
            json.put("gracePeriodSeconds", gracePeriodSeconds);
        }
        if (!uid.isEmpty()) {
            json.putObject("preconditions").put("uid", uid);
        }
        return json;
    }
}
