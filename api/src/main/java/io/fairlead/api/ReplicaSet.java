package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// A number of pods of one template, kept; `template` is kept as the tree it came as. A ReplicationController is the
/// same under another `kind`, with a plain map as its selector.
///
/// A pod is available when it has been ready for `minReadySeconds`.
public record ReplicaSet(
        Kind kind,
        ObjectMeta metadata,
        int replicas,
        int minReadySeconds,
        LabelSelector selector,
        JsonNode template,
        JsonNode status)
        implements KubernetesObject {

    public static ReplicaSet of(JsonNode json) {
        return of(Kind.REPLICA_SET, json, LabelSelector.of(json.path("spec").path("selector")));
    }

    static ReplicaSet ofController(JsonNode json) {
        return of(Kind.REPLICATION_CONTROLLER, json, LabelSelector.of(Json.map(json, "spec", "selector")));
    }

    private static ReplicaSet of(Kind kind, JsonNode json, LabelSelector selector) {
        JsonNode spec = json.path("spec");
        return new ReplicaSet(
                kind,
                ObjectMeta.of(json),
                Json.number(spec, 1, "replicas"),
                Json.number(spec, 0, "minReadySeconds"),
                selector,
                spec.path("template"),
                json.path("status"));
    }
}
