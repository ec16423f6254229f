package io.fairlead.endpoints;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Endpoints;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// How the Endpoints of a Service are written: addresses with the same ports together, the ready apart from the
/// others.
final class EndpointsTree {
    static final String MANAGED_BY = "endpoints.kubernetes.io/managed-by";
    static final String MANAGER = "endpoint-controller";
    private static final String OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity";
    private static final int MAX_ADDRESSES = 1000;

    /// One endpoint, and which list it is in.
    private record Item(WantedEndpoint endpoint, List<EndpointSlice.Port> ports) {
        boolean isReady() {
            return endpoint.isReady();
        }
    }

    private EndpointsTree() {}

    static ObjectNode of(Service service, Collection<Pod> pods) {
        List<Item> items = items(service, pods);
        boolean truncated = items.size() > MAX_ADDRESSES;
        ObjectNode endpoints =
                Json.object().put("apiVersion", Kind.ENDPOINTS.apiVersion()).put("kind", Kind.ENDPOINTS.name());
        endpoints.set("metadata", metadata(service, truncated));
        ArrayNode subsets = endpoints.putArray("subsets");
        byPorts(items.stream().limit(MAX_ADDRESSES).toList()).values().forEach(same -> subsets.add(subset(same)));
        return endpoints;
    }

    /// The same object as a replacement of `existing`, whose other annotations stay.
    static ObjectNode replacing(Endpoints existing, ObjectNode tree) {
        ObjectNode metadata = tree.withObject("metadata");
        ObjectNode annotations = Json.object();
        existing.metadata().annotations().forEach(annotations::put);
        annotations.remove(OVER_CAPACITY);
        annotations.setAll(metadata.withObjectProperty("annotations"));
        metadata.set("annotations", annotations);
        metadata.put("resourceVersion", existing.metadata().revision().toString());
        return tree;
    }

    static boolean isTruncated(Endpoints endpoints) {
        return endpoints.metadata().annotations().containsKey(OVER_CAPACITY);
    }

    /// Sorted, those that are ready first: they are the last to be left out.
    private static List<Item> items(Service service, Collection<Pod> pods) {
        List<Pod> staying = pods.stream()
                .filter(pod -> !pod.metadata().isTerminating() || service.publishNotReadyAddresses())
                .toList();
        List<Item> items = new ArrayList<>();
        new WantedEndpoints(service, staying, Map.of())
                .byFamily()
                .getOrDefault(family(service), Map.of())
                .forEach((group, endpoints) -> {
                    // No client reaches a pod that has none of the ports; where there are none, DNS still tells of
                    // it.
                    if (!group.ports().isEmpty() || service.ports().isEmpty()) {
                        endpoints.forEach(endpoint -> items.add(new Item(endpoint, List.copyOf(group.ports()))));
                    }
                });
        items.sort(Comparator.comparing((Item item) -> !item.isReady())
                .thenComparing(item -> item.endpoint().identity().address()));
        return items;
    }

    /// Endpoints know one family: the Service's first.
    private static Family family(Service service) {
        return service.clusterIps().stream()
                .map(Ip::family)
                .findFirst()
                .or(() -> service.families().stream().findFirst())
                .orElse(Family.IPV4);
    }

    private static ObjectNode metadata(Service service, boolean truncated) {
        ObjectNode metadata = Json.object()
                .put("name", service.key().name())
                .put("namespace", service.key().namespace());
        ObjectNode labels = metadata.putObject("labels");
        service.metadata().labels().forEach(labels::put);
        labels.remove(SliceAuthor.HEADLESS);
        labels.put(MANAGED_BY, MANAGER);
        if (service.headless()) {
            labels.put(SliceAuthor.HEADLESS, "");
        }
        if (truncated) {
            metadata.putObject("annotations").put(OVER_CAPACITY, "truncated");
        }
        return metadata;
    }

    private static Map<String, List<Item>> byPorts(List<Item> items) {
        Map<String, List<Item>> byPorts = new TreeMap<>();
        items.forEach(item -> byPorts.computeIfAbsent(item.ports().toString(), _ -> new ArrayList<>())
                .add(item));
        return byPorts;
    }

    private static ObjectNode subset(List<Item> items) {
        ObjectNode subset = Json.object();
        for (Item item : items) {
            subset.withArrayProperty(item.isReady() ? "addresses" : "notReadyAddresses")
                    .add(address(item.endpoint()));
        }
        ArrayNode ports = subset.putArray("ports");
        items.getFirst().ports().forEach(port -> ports.add(SliceTree.port(port)));
        return subset;
    }

    private static ObjectNode address(WantedEndpoint endpoint) {
        ObjectNode address =
                Json.object().put("ip", endpoint.identity().address().toString());
        for (String field : List.of("hostname", "nodeName", "targetRef")) {
            if (endpoint.json().has(field)) {
                address.set(field, endpoint.json().get(field));
            }
        }
        return address;
    }
}
