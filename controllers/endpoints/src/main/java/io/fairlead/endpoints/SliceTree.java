package io.fairlead.endpoints;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.runner.Owners;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// How a slice of a Service is written.
final class SliceTree {
    static final String TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

    /// The weights of the endpoints that have one, for proxies: `10.244.1.2=3,10.244.2.7=0`.
    static final String WEIGHTS = "fairlead.io/weights";

    private SliceTree() {}

    /// A slice that leaves its name to the API server.
    static ObjectNode of(SliceAuthor author, SliceGroup group, List<WantedEndpoint> endpoints) {
        ObjectNode slice = Json.object()
                .put("apiVersion", Kind.ENDPOINT_SLICE.apiVersion())
                .put("kind", Kind.ENDPOINT_SLICE.name());
        ObjectNode metadata = metadata(author, author.triggers().of(endpoints));
        String weights = weights(endpoints);
        if (!weights.isEmpty()) {
            metadata.withObjectProperty("annotations").put(WEIGHTS, weights);
        }
        slice.set("metadata", metadata);
        slice.put("addressType", group.family().toString());
        ArrayNode items = slice.putArray("endpoints");
        endpoints.forEach(endpoint -> items.add(endpoint.json()));
        ArrayNode ports = slice.putArray("ports");
        group.ports().forEach(port -> ports.add(port(port)));
        return slice;
    }

    private static String weights(List<WantedEndpoint> endpoints) {
        return endpoints.stream()
                .filter(endpoint -> !endpoint.weight().isEmpty())
                .map(endpoint -> endpoint.identity().address() + "=" + endpoint.weight())
                .collect(Collectors.joining(","));
    }

    /// The same slice as a replacement of `existing`, whose name and annotations stay, but not the time of a
    /// change that it told before.
    static ObjectNode replacing(EndpointSlice existing, ObjectNode slice) {
        ObjectNode metadata = slice.withObject("metadata");
        metadata.put("name", existing.key().name());
        metadata.put("uid", existing.metadata().uid());
        metadata.put("resourceVersion", existing.metadata().revision().toString());
        String trigger = Json.text(metadata, "annotations", TRIGGER_TIME);
        String weights = Json.text(metadata, "annotations", WEIGHTS);
        if (!existing.metadata().annotations().isEmpty()) {
            ObjectNode annotations = metadata.putObject("annotations");
            existing.metadata().annotations().forEach(annotations::put);
            annotations.remove(List.of(TRIGGER_TIME, WEIGHTS));
        }
        if (!weights.isEmpty()) {
            metadata.withObjectProperty("annotations").put(WEIGHTS, weights);
        }
        if (!trigger.isEmpty()) {
            metadata.withObjectProperty("annotations").put(TRIGGER_TIME, trigger);
        }
        return slice;
    }

    private static ObjectNode metadata(SliceAuthor author, String trigger) {
        ObjectNode metadata = Json.object()
                .put("generateName", author.service().name() + "-")
                .put("namespace", author.service().namespace());
        ObjectNode labels = metadata.putObject("labels");
        author.labels().forEach(labels::put);
        if (!trigger.isEmpty()) {
            metadata.putObject("annotations").put(TRIGGER_TIME, trigger);
        }
        metadata.putArray("ownerReferences").add(Owners.reference(author.owner()));
        return metadata;
    }

    static ObjectNode port(EndpointSlice.Port port) {
        ObjectNode json = Json.object();
        if (!port.name().isEmpty()) {
            json.put("name", port.name());
        }
        json.put("protocol", port.protocol().name()).put("port", port.port());
        return port.appProtocol().isEmpty() ? json : json.put("appProtocol", port.appProtocol());
    }
}
