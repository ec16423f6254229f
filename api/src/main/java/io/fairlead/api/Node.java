package io.fairlead.api;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A machine that runs pods and a proxy.
public record Node(ObjectMeta metadata, List<Cidr> podCidrs, boolean unschedulable, List<Ip> internalIps, boolean ready)
        implements KubernetesObject {

    public static Node of(JsonNode json) {
        JsonNode spec = json.path("spec");
        List<String> several = Json.texts(spec, "podCIDRs");
        List<String> cidrs = several.isEmpty() ? List.of(Json.text(spec, "podCIDR")) : several;
        List<Ip> internal = json.path("status")
                .path("addresses")
                .valueStream()
                .filter(a -> Json.text(a, "type").equals("InternalIP"))
                .flatMap(a -> Ip.find(Json.text(a, "address")).stream())
                .toList();
        return new Node(
                ObjectMeta.of(json),
                cidrs.stream().map(Cidr::find).flatMap(Optional::stream).toList(),
                Json.flag(spec, false, "unschedulable"),
                internal,
                Conditions.isTrue(json.path("status"), "Ready"));
    }

    @Override
    public Kind kind() {
        return Kind.NODE;
    }

    public String name() {
        return metadata.key().name();
    }
}
