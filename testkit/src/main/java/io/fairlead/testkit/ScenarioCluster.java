package io.fairlead.testkit;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Snapshot;
import io.fairlead.api.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The Snapshot that a `cluster.yaml` stands for.
final class ScenarioCluster {
    private ScenarioCluster() {}

    static Snapshot parse(String yaml) {
        Snapshot snapshot = Snapshot.EMPTY;
        for (JsonNode document : Yaml.parseAll(yaml)) {
            snapshot = snapshot.with(object(document));
        }
        return snapshot;
    }

    private static KubernetesObject object(JsonNode document) {
        String apiVersion = Json.text(document, "apiVersion");
        String name = Json.text(document, "kind");
        return Kind.find(apiVersion, name)
                .flatMap(kind -> KubernetesObject.of(kind, inNamespace(kind, document)))
                .orElseThrow(() ->
                        new IllegalArgumentException("a scenario knows no kind %s of %s".formatted(name, apiVersion)));
    }

    /// As with kubectl, what names no namespace is in `default`.
    private static JsonNode inNamespace(Kind kind, JsonNode document) {
        ObjectNode object = (ObjectNode) document.deepCopy();
        ObjectNode metadata = object.withObject("metadata");
        if (kind.namespaced() && !metadata.has("namespace")) {
            metadata.put("namespace", "default");
        }
        return object;
    }
}
