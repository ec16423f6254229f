package io.fairlead.api;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// A set of pods behind one address that lasts.
public record Service(
        ObjectMeta metadata,
        Type type,
        List<Ip> clusterIps,
        boolean headless,
        List<Port> ports,
        Map<String, String> selector,
        boolean publishNotReadyAddresses)
        implements KubernetesObject {

    /// How far a Service is open.
    public enum Type {
        CLUSTER_IP("ClusterIP"),
        NODE_PORT("NodePort"),
        LOAD_BALANCER("LoadBalancer"),
        EXTERNAL_NAME("ExternalName");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        static Type of(String text) {
            for (Type type : values()) {
                if (type.text.equals(text)) {
                    return type;
                }
            }
            return CLUSTER_IP;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /// One port of a Service; `nodePort` is 0 where there is none.
    public record Port(String name, Protocol protocol, int port, PortReference targetPort, int nodePort) {
        static Port of(JsonNode json) {
            int port = Json.number(json, 0, "port");
            return new Port(
                    Json.text(json, "name"),
                    Protocol.of(Json.text(json, "protocol")),
                    port,
                    PortReference.of(json.path("targetPort"), port),
                    Json.number(json, 0, "nodePort"));
        }
    }

    public static Service of(JsonNode json) {
        JsonNode spec = json.path("spec");
        String clusterIp = Json.text(spec, "clusterIP");
        List<Ip> several = Json.ips(spec, "clusterIPs");
        return new Service(
                ObjectMeta.of(json),
                Type.of(Json.text(spec, "type")),
                several.isEmpty() ? Ip.find(clusterIp).stream().toList() : several,
                clusterIp.equals("None"),
                Json.list(spec, Port::of, "ports"),
                Json.map(spec, "selector"),
                Json.flag(spec, false, "publishNotReadyAddresses"));
    }

    @Override
    public Kind kind() {
        return Kind.SERVICE;
    }
}
