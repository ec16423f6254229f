package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// One of the templates that a StatefulSet or DaemonSet had; the newest has the highest `revision`.
///
/// `data` is the part of the workload that would bring it back: `{"spec": {"template": …}}`.
public record ControllerRevision(ObjectMeta metadata, long revision, JsonNode data) implements KubernetesObject {

    public static ControllerRevision of(JsonNode json) {
        return new ControllerRevision(ObjectMeta.of(json), json.path("revision").asLong(0), json.path("data"));
    }

    @Override
    public Kind kind() {
        return Kind.CONTROLLER_REVISION;
    }
}
