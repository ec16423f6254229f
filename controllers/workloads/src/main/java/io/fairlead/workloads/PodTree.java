package io.fairlead.workloads;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.runner.Owners;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The pod that a workload makes of its template; it still lacks a name.
final class PodTree {
    private PodTree() {}

    static ObjectNode of(KubernetesObject owner, JsonNode template) {
        ObjectNode pod = Json.object().put("apiVersion", Kind.POD.apiVersion()).put("kind", Kind.POD.name());
        ObjectNode metadata =
                pod.putObject("metadata").put("namespace", owner.key().namespace());
        for (String field : List.of("labels", "annotations")) {
            if (Json.at(template, "metadata", field) instanceof ObjectNode given) {
                metadata.set(field, given.deepCopy());
            }
        }
        metadata.putArray("ownerReferences").add(Owners.reference(owner));
        pod.set("spec", template.path("spec") instanceof ObjectNode given ? given.deepCopy() : Json.object());
        return pod;
    }

    static ObjectNode metadata(ObjectNode pod) {
        return pod.withObjectProperty("metadata");
    }

    static ObjectNode spec(ObjectNode pod) {
        return pod.withObjectProperty("spec");
    }

    static void label(ObjectNode pod, String key, String value) {
        metadata(pod).withObjectProperty("labels").put(key, value);
    }
}
