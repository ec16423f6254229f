package io.fairlead.api;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.ObjectNode;

/// What a program wants to tell the users of an object: an Event before it is sent.
///
/// `uid` may be empty; `type` is `Normal` or `Warning`, `reason` one word for machines, `message` a sentence for
/// people.
public record EventDraft(Kind kind, NamespacedName about, String uid, String type, String reason, String message) {

    /// The Event, as `component` tells it at `now`.
    public ObjectNode tree(String component, Instant now) {
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        ObjectNode event =
                Json.object().put("apiVersion", Kind.EVENT.apiVersion()).put("kind", Kind.EVENT.name());
        event.putObject("metadata")
                .put("generateName", about.name() + ".")
                .put("namespace", about.namespace().isEmpty() ? "default" : about.namespace());
        ObjectNode object = event.putObject("involvedObject")
                .put("apiVersion", kind.apiVersion())
                .put("kind", kind.name())
                .put("name", about.name());
        if (!about.namespace().isEmpty()) {
            object.put("namespace", about.namespace());
        }
        if (!uid.isEmpty()) {
            object.put("uid", uid);
        }
        event.put("type", type)
                .put("reason", reason)
                .put("message", message)
                .put("firstTimestamp", time)
                .put("lastTimestamp", time)
                .put("count", 1);
        event.putObject("source").put("component", component);
        return event;
    }
}
