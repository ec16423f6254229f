package io.fairlead.api;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// Some of the endpoints of a Service, all of one address type and one set of ports.
public record EndpointSlice(ObjectMeta metadata, String addressType, List<Endpoint> endpoints, List<Port> ports)
        implements KubernetesObject {

    /// The label that says whose endpoints these are.
    public static final String SERVICE_NAME = "kubernetes.io/service-name";

    /// Which nodes and zones an endpoint is meant for; empty lists say nothing.
    public record Hints(List<String> zones, List<String> nodes) {
        public static final Hints NONE = new Hints(List.of(), List.of());

        public static Hints of(JsonNode json) {
            if (json.isEmpty()) {
                return NONE;
            }
            return new Hints(
                    Json.list(json, zone -> Json.text(zone, "name"), "forZones"),
                    Json.list(json, node -> Json.text(node, "name"), "forNodes"));
        }
    }

    /// One endpoint; absent conditions count as the API says: ready and serving, not terminating.
    public record Endpoint(
            List<Ip> addresses,
            boolean ready,
            boolean serving,
            boolean terminating,
            String nodeName,
            String podName,
            String podUid,
            String hostname,
            String zone,
            Hints hints) {
        public static Endpoint of(JsonNode json) {
            return new Endpoint(
                    Json.ips(json, "addresses"),
                    Json.flag(json, true, "conditions", "ready"),
                    Json.flag(json, true, "conditions", "serving"),
                    Json.flag(json, false, "conditions", "terminating"),
                    Json.text(json, "nodeName"),
                    Json.text(json, "targetRef", "name"),
                    Json.text(json, "targetRef", "uid"),
                    Json.text(json, "hostname"),
                    Json.text(json, "zone"),
                    Hints.of(json.path("hints")));
        }
    }

    /// The number behind a Service port of the same name; 0 where the slice gives none.
    public record Port(String name, Protocol protocol, int port, String appProtocol) {
        public static Port of(JsonNode json) {
            return new Port(
                    Json.text(json, "name"),
                    Protocol.of(Json.text(json, "protocol")),
                    Json.number(json, 0, "port"),
                    Json.text(json, "appProtocol"));
        }
    }

    public static EndpointSlice of(JsonNode json) {
        return new EndpointSlice(
                ObjectMeta.of(json),
                Json.text(json, "addressType"),
                Json.list(json, Endpoint::of, "endpoints"),
                Json.list(json, Port::of, "ports"));
    }

    @Override
    public Kind kind() {
        return Kind.ENDPOINT_SLICE;
    }

    /// The Service these endpoints belong to; its name is empty where the label is missing.
    public NamespacedName service() {
        return new NamespacedName(key().namespace(), metadata.labels().getOrDefault(SERVICE_NAME, ""));
    }
}
