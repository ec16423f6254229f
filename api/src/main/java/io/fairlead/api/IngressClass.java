package io.fairlead.api;

import tools.jackson.databind.JsonNode;

/// A name by which an Ingress chooses its controller.
public record IngressClass(ObjectMeta metadata, String controller) implements KubernetesObject {
    private static final String IS_DEFAULT = "ingressclass.kubernetes.io/is-default-class";

    public static IngressClass of(JsonNode json) {
        return new IngressClass(ObjectMeta.of(json), Json.text(json, "spec", "controller"));
    }

    /// True if an Ingress that names no class is meant for this one.
    public boolean isDefault() {
        return "true".equals(metadata.annotations().get(IS_DEFAULT));
    }

    @Override
    public Kind kind() {
        return Kind.INGRESS_CLASS;
    }
}
