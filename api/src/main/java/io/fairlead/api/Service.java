package io.fairlead.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A set of pods behind one address that lasts.
///
/// `externalName` is empty but for a Service of that type.
public record Service(
        ObjectMeta metadata,
        Type type,
        List<Ip> clusterIps,
        boolean headless,
        List<Port> ports,
        Map<String, String> selector,
        boolean publishNotReadyAddresses,
        ServicePolicies policies,
        List<Ip> externalIps,
        LoadBalancer loadBalancer,
        List<Family> families,
        String externalName)
        implements KubernetesObject {

    /// A load balancer whose addresses are on no machine says so by this annotation, `true`: then nodes refuse
    /// its other ports, as they do for a ClusterIP, and answer for it on the local network. Some balancers give the
    /// addresses of nodes, where all else must go on.
    public static final String REFUSE_OTHER_PORTS = "fairlead.io/refuse-other-ports";

    /// The label that takes a Service away from the usual proxy.
    public static final String PROXY_NAME = "service.kubernetes.io/service-proxy-name";

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

        public static Type of(String text) {
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

    /// One port of a Service; `nodePort` is 0 and `appProtocol` empty where there is none.
    public record Port(
            String name, Protocol protocol, int port, PortReference targetPort, int nodePort, String appProtocol) {
        public static Port of(JsonNode json) {
            int port = Json.number(json, 0, "port");
            return new Port(
                    Json.text(json, "name"),
                    Protocol.of(Json.text(json, "protocol")),
                    port,
                    PortReference.of(json.path("targetPort"), port),
                    Json.number(json, 0, "nodePort"),
                    Json.text(json, "appProtocol"));
        }
    }

    /// What a Service says to its load balancer, and what that has said so far.
    ///
    /// An empty `sourceRanges` lets every client in; `loadBalancerClass` is empty for the usual one.
    public record LoadBalancer(
            List<Ingress> ingress,
            List<Cidr> sourceRanges,
            String loadBalancerClass,
            String wantedIp,
            boolean allocatesNodePorts) {
        /// The class of a Service that wants Fairlead's own load balancer and no other.
        public static final String CLASS = "fairlead.io/load-balancer";

        /// What a Service of another type has.
        public static final LoadBalancer NONE = new LoadBalancer(List.of(), List.of(), "", "", false);

        public static LoadBalancer of(JsonNode json) {
            JsonNode spec = json.path("spec");
            if (Type.of(Json.text(spec, "type")) != Type.LOAD_BALANCER) {
                return NONE;
            }
            return new LoadBalancer(
                    Json.list(json, Ingress::of, "status", "loadBalancer", "ingress"),
                    SourceRanges.of(Json.texts(spec, "loadBalancerSourceRanges")),
                    Json.text(spec, "loadBalancerClass"),
                    Json.text(spec, "loadBalancerIP"),
                    Json.flag(spec, true, "allocateLoadBalancerNodePorts"));
        }

        /// True if Fairlead's own load balancer is meant: by its class, or because none is named.
        public boolean isOurs() {
            return loadBalancerClass.isEmpty() || loadBalancerClass.equals(CLASS);
        }

        /// The addresses that nodes take for their own: not those of a balancer that has to be asked itself.
        public List<Ip> vips() {
            return ingress.stream()
                    .filter(item -> item.ipMode() == IpMode.VIP)
                    .flatMap(item -> item.address().stream())
                    .toList();
        }
    }

    /// One way in through a load balancer; `ip` or `hostname` is empty.
    public record Ingress(String ip, IpMode ipMode, String hostname) {
        public static Ingress of(JsonNode json) {
            return new Ingress(
                    Json.text(json, "ip"),
                    Json.text(json, "ipMode").equals("Proxy") ? IpMode.PROXY : IpMode.VIP,
                    Json.text(json, "hostname"));
        }

        public Optional<Ip> address() {
            return Ip.find(ip);
        }
    }

    /// What a load balancer does with packets: leaves their destination as it is, or sends them on as its own.
    public enum IpMode {
        VIP,
        PROXY
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
                Json.flag(spec, false, "publishNotReadyAddresses"),
                ServicePolicies.of(spec),
                Json.ips(spec, "externalIPs"),
                LoadBalancer.of(json),
                Json.list(spec, family -> family.asString("").equals("IPv6") ? Family.IPV6 : Family.IPV4, "ipFamilies"),
                Json.text(spec, "externalName"));
    }

    @Override
    public Kind kind() {
        return Kind.SERVICE;
    }

    /// True if its load balancer's addresses are on no machine, so that nodes may take them for their own.
    public boolean isOnNoMachine() {
        return "true".equals(metadata.annotations().get(REFUSE_OTHER_PORTS));
    }
}
