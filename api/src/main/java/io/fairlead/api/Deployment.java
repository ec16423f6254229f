package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// A wish for a number of pods of one template; `template` is kept as the tree it came as.
public record Deployment(ObjectMeta metadata, int replicas, LabelSelector selector, JsonNode template, JsonNode status)
        implements KubernetesObject {

    public static Deployment of(JsonNode json) {
        JsonNode spec = json.path("spec");
        return new Deployment(
                ObjectMeta.of(json),
                Json.number(spec, 1, "replicas"),
                LabelSelector.of(spec.path("selector")),
                spec.path("template"),
                json.path("status"));
    }

    @Override
    public Kind kind() {
        return Kind.DEPLOYMENT;
    }
}
