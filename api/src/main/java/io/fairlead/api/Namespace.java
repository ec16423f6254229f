package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// A room of names of its own; those who compute want to know no more than that it is there.
public record Namespace(ObjectMeta metadata) implements KubernetesObject {
    public static Namespace of(JsonNode json) {
        return new Namespace(ObjectMeta.of(json));
    }

    @Override
    public Kind kind() {
        return Kind.NAMESPACE;
    }
}
