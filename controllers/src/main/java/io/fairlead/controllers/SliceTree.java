package io.fairlead.controllers;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Service;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// How a slice of a Service is written.
final class SliceTree {
    static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
    static final String MANAGER = "endpointslice-controller.k8s.io";
    static final String HEADLESS = "service.kubernetes.io/headless";

    private SliceTree() {}

    /// A slice that leaves its name to the API server.
    static ObjectNode of(Service service, SliceGroup group, List<WantedEndpoint> endpoints) {
        ObjectNode slice = Json.object()
                .put("apiVersion", Kind.ENDPOINT_SLICE.apiVersion())
                .put("kind", Kind.ENDPOINT_SLICE.name());
        slice.set("metadata", metadata(service));
        slice.put("addressType", group.family().toString());
        ArrayNode items = slice.putArray("endpoints");
        endpoints.forEach(endpoint -> items.add(endpoint.json()));
        ArrayNode ports = slice.putArray("ports");
        group.ports().forEach(port -> ports.add(port(port)));
        return slice;
    }

    /// The same slice as a replacement of `existing`, whose name and annotations stay.
    static ObjectNode replacing(EndpointSlice existing, ObjectNode slice) {
        ObjectNode metadata = slice.withObject("metadata");
        metadata.put("name", existing.key().name());
        metadata.put("uid", existing.metadata().uid());
        metadata.put("resourceVersion", existing.metadata().revision().toString());
        if (!existing.metadata().annotations().isEmpty()) {
            ObjectNode annotations = metadata.putObject("annotations");
            existing.metadata().annotations().forEach(annotations::put);
        }
        return slice;
    }

    private static ObjectNode metadata(Service service) {
        ObjectNode metadata = Json.object()
                .put("generateName", service.key().name() + "-")
                .put("namespace", service.key().namespace());
        ObjectNode labels = metadata.putObject("labels");
        labels(service).forEach(labels::put);
        metadata.putArray("ownerReferences").add(Owners.reference(service));
        return metadata;
    }

    /// The Service's own labels, and those by which slices are found.
    static Map<String, String> labels(Service service) {
        Map<String, String> labels = new LinkedHashMap<>(service.metadata().labels());
        labels.remove(HEADLESS);
        labels.put(EndpointSlice.SERVICE_NAME, service.key().name());
        labels.put(MANAGED_BY, MANAGER);
        if (service.headless()) {
            labels.put(HEADLESS, "");
        }
        return labels;
    }

    private static ObjectNode port(EndpointSlice.Port port) {
        ObjectNode json = Json.object()
                .put("name", port.name())
                .put("protocol", port.protocol().name())
                .put("port", port.port());
        return port.appProtocol().isEmpty() ? json : json.put("appProtocol", port.appProtocol());
    }
}
