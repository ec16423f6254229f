package io.fairlead.runner;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What the users of a workload read in its Events about the pods that its controller makes.
final class OwnerEvents {
    private OwnerEvents() {}

    static Optional<EventDraft> created(Kind kind, JsonNode object, String name) {
        return about(kind, object, "Normal", "SuccessfulCreate", "Created pod: " + name);
    }

    static Optional<EventDraft> refused(Kind kind, JsonNode object, String why) {
        return about(kind, object, "Warning", "FailedCreate", "Error creating: " + why);
    }

    /// Nothing for what is no pod, or has no controller.
    private static Optional<EventDraft> about(Kind kind, JsonNode object, String type, String reason, String message) {
        if (!kind.equals(Kind.POD)) {
            return Optional.empty();
        }
        return Json.at(object, "metadata", "ownerReferences")
                .valueStream()
                .filter(owner -> owner.path("controller").asBoolean(false))
                .findFirst()
                .flatMap(owner -> Kind.find(Json.text(owner, "apiVersion"), Json.text(owner, "kind"))
                        .map(known -> new EventDraft(
                                known,
                                new NamespacedName(
                                        Json.text(object, "metadata", "namespace"), Json.text(owner, "name")),
                                Json.text(owner, "uid"),
                                type,
                                reason,
                                message)));
    }
}
