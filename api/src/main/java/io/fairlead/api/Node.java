package io.fairlead.api;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A machine that runs pods and a proxy.
///
/// `cpuMillis` is what its pods may use together, in thousandths of a CPU; 0 where the node does not say.
public record Node(
        ObjectMeta metadata,
        List<Cidr> podCidrs,
        boolean unschedulable,
        List<Taint> taints,
        List<Address> addresses,
        boolean ready,
        int cpuMillis)
        implements KubernetesObject {

    /// The label that says where a node stands.
    public static final String ZONE = "topology.kubernetes.io/zone";

    /// Why pods should keep off a node.
    public record Taint(String key, String value, String effect) {
        static Taint of(JsonNode json) {
            return new Taint(Json.text(json, "key"), Json.text(json, "value"), Json.text(json, "effect"));
        }
    }

    /// Where a node can be reached: `type` is `InternalIP`, `ExternalIP`, `Hostname` or another word of the API.
    public record Address(String type, String address) {
        static Address of(JsonNode json) {
            return new Address(Json.text(json, "type"), Json.text(json, "address"));
        }
    }

    public static Node of(JsonNode json) {
        JsonNode spec = json.path("spec");
        JsonNode status = json.path("status");
        List<String> several = Json.texts(spec, "podCIDRs");
        List<String> cidrs = several.isEmpty() ? List.of(Json.text(spec, "podCIDR")) : several;
        return new Node(
                ObjectMeta.of(json),
                cidrs.stream().map(Cidr::find).flatMap(Optional::stream).toList(),
                Json.flag(spec, false, "unschedulable"),
                Json.list(spec, Taint::of, "taints"),
                Json.list(status, Address::of, "addresses"),
                Conditions.isTrue(status, "Ready"),
                cpuMillis(status.path("allocatable").path("cpu").asString("")));
    }

    @Override
    public Kind kind() {
        return Kind.NODE;
    }

    public String name() {
        return metadata.key().name();
    }

    /// Where the node stands; empty where nobody said.
    public String zone() {
        return metadata.labels().getOrDefault(ZONE, "");
    }

    public List<Ip> internalIps() {
        return ips("InternalIP");
    }

    public List<Ip> externalIps() {
        return ips("ExternalIP");
    }

    private List<Ip> ips(String type) {
        return addresses.stream()
                .filter(address -> address.type().equals(type))
                .flatMap(address -> Ip.find(address.address()).stream())
                .toList();
    }

    /// A quantity of CPU: `4`, `3.5` or `3500m`.
    private static int cpuMillis(String quantity) {
        boolean millis = quantity.endsWith("m");
        String number = millis ? quantity.substring(0, quantity.length() - 1) : quantity;
        if (!number.matches("[0-9]{1,6}(\\.[0-9]{1,3})?")) {
            return 0;
        }
        return (int) Math.round(Double.parseDouble(number) * (millis ? 1 : 1000));
    }
}
