package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// A number of pods of one template, kept; `template` is kept as the tree it came as.
///
/// A pod is available when it has been ready for `minReadySeconds`.
public record ReplicaSet(
        ObjectMeta metadata,
        int replicas,
        int minReadySeconds,
        LabelSelector selector,
        JsonNode template,
        JsonNode status)
        implements KubernetesObject {

    public static ReplicaSet of(JsonNode json) {
        JsonNode spec = json.path("spec");
        return new ReplicaSet(
                ObjectMeta.of(json),
                Json.number(spec, 1, "replicas"),
                Json.number(spec, 0, "minReadySeconds"),
                LabelSelector.of(spec.path("selector")),
                spec.path("template"),
                json.path("status"));
    }

    @Override
    public Kind kind() {
        return Kind.REPLICA_SET;
    }
}
