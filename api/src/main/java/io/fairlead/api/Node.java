package io.fairlead.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A machine that runs pods and a proxy.
///
/// `cpuMillis` is what its pods may use together, in thousandths of a CPU; `agentPort` is where its agent answers.
/// Each is 0 where the node does not say.
public record Node(
        ObjectMeta metadata,
        List<Cidr> podCidrs,
        boolean unschedulable,
        List<Taint> taints,
        List<Address> addresses,
        Readiness readiness,
        int cpuMillis,
        int agentPort,
        Map<String, Quantity> allocatable)
        implements KubernetesObject {

    /// The label that says where a node stands.
    public static final String ZONE = "topology.kubernetes.io/zone";

    /// The annotation by which the proxy of a node says which EndpointSlices its kernel follows.
    public static final String PROGRAMMED = "fairlead.io/programmed-slices";

    /// What the `Ready` condition says; unsaid where there is none yet.
    public enum Readiness {
        TRUE,
        FALSE,
        UNKNOWN,
        UNSAID
    }

    /// Why pods should keep off a node; `timeAdded` is empty where the time is not known.
    public record Taint(String key, String value, String effect, String timeAdded) {
        public static final String NO_SCHEDULE = "NoSchedule";
        public static final String NO_EXECUTE = "NoExecute";

        /// The keys of taints that follow from the state of the node itself.
        public static final String NOT_READY = "node.kubernetes.io/not-ready";

        public static final String UNREACHABLE = "node.kubernetes.io/unreachable";
        public static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

        static Taint of(JsonNode json) {
            return new Taint(
                    Json.text(json, "key"),
                    Json.text(json, "value"),
                    Json.text(json, "effect"),
                    Json.text(json, "timeAdded"));
        }

        public ObjectNode tree() {
            ObjectNode tree = Json.object().put("key", key).put("effect", effect);
            if (!value.isEmpty()) {
                tree.put("value", value);
            }
            if (!timeAdded.isEmpty()) {
                tree.put("timeAdded", timeAdded);
            }
            return tree;
        }

        /// As people write it: `key=value:effect`.
        @Override
        public String toString() {
            return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
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
                readiness(Conditions.status(status, "Ready")),
                cpuMillis(status.path("allocatable").path("cpu").asString("")),
                Json.number(status, 0, "daemonEndpoints", "kubeletEndpoint", "Port"),
                Resources.quantities(status, "allocatable"));
    }

    @Override
    public Kind kind() {
        return Kind.NODE;
    }

    private static Readiness readiness(String text) {
        return switch (text) {
            case "True" -> Readiness.TRUE;
            case "False" -> Readiness.FALSE;
            case "" -> Readiness.UNSAID;
            default -> Readiness.UNKNOWN;
        };
    }

    public boolean ready() {
        return readiness == Readiness.TRUE;
    }

    public String name() {
        return metadata.key().name();
    }

    /// Where the node stands; empty where it is not given.
    public String zone() {
        return metadata.labels().getOrDefault(ZONE, "");
    }

    /// The kernel of this node follows every EndpointSlice up to this one; nothing where no proxy says so.
    public Optional<Revision> programmed() {
        return Optional.ofNullable(metadata.annotations().get(PROGRAMMED))
                .filter(text -> text.matches("[0-9]{1,18}"))
                .map(text -> new Revision(Long.parseLong(text)));
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
