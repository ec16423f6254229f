package io.fairlead.testkit;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.endpoints.EndpointSlices;
import io.fairlead.yaml.Yaml;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
        return withSlices(snapshot);
    }

    /// What the controller would have made of the pods; a Service without a selector has only what the text gives it.
    private static Snapshot withSlices(Snapshot cluster) {
        List<Pod> pods = cluster.pods().values().toList();
        Map<String, Node> nodes = cluster.nodes().values().collect(Collectors.toMap(Node::name, node -> node));
        List<EndpointSlice> slices = cluster.services()
                .values()
                .flatMap(service -> EndpointSlices.of(service, pods, nodes).stream())
                .map(EndpointSlice::of)
                .toList();
        Snapshot snapshot = cluster;
        for (EndpointSlice slice : slices) {
            snapshot = snapshot.with(slice);
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
