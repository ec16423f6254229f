package io.fairlead.up;

import io.fairlead.api.Kind;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.Deletion;
import io.fairlead.client.Interest;
import io.fairlead.lab.Topology;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Nodes that the state in the directory remembers from a larger cluster, and that no longer are.
///
/// No agent would ever end their pods, and connections to them would fail for ever.
final class FormerNodes {
    private FormerNodes() {}

    /// Deletes them, and the pods that were theirs.
    static void remove(ApiClient client, Topology topology) throws InterruptedException {
        Set<String> present =
                topology.nodes().stream().map(Topology.NodePlace::name).collect(Collectors.toSet());
        for (JsonNode item : client.list(Interest.all(Kind.POD), "").path("items")) {
            Pod pod = Pod.of(item);
            String node = pod.spec().nodeName();
            if (!node.isEmpty() && !present.contains(node)) {
                delete(client, Kind.POD, pod.key());
            }
        }
        for (JsonNode item : client.list(Interest.all(Kind.NODE), "").path("items")) {
            Node node = Node.of(item);
            if (!present.contains(node.name())) {
                delete(client, Kind.NODE, node.key());
            }
        }
    }

    private static void delete(ApiClient client, Kind kind, io.fairlead.api.NamespacedName name)
            throws InterruptedException {
        try {
            client.delete(kind, name, Deletion.graceOf(0));
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }
}
