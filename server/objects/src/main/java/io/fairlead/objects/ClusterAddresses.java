package io.fairlead.objects;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The addresses that are the cluster's own, and which others a Service may name in `externalIPs`.
///
/// An external address is open to each who writes Services, as in Kubernetes. But it is never one that leads somewhere
/// already: of a Service's range, of a node or a pod, or of another Service's load balancer (CVE-2020-8554).
public final class ClusterAddresses {
    private final WatchCache cache;
    private final ServiceCidrs cidrs;
    private final Optional<List<Cidr>> allowed;

    /// `allowed` holds the blocks that external addresses are from; nothing where any address will do.
    public ClusterAddresses(WatchCache cache, ServiceCidrs cidrs, Optional<List<Cidr>> allowed) {
        this.cache = cache;
        this.cidrs = cidrs;
        this.allowed = allowed.map(List::copyOf);
    }

    /// What is wrong with the external addresses that a write adds to a Service; what it had it keeps.
    List<Problem> check(JsonNode old, JsonNode service) {
        List<String> had = Json.texts(old, "spec", "externalIPs");
        List<String> asked = Json.texts(service, "spec", "externalIPs");
        List<Problem> problems = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            String text = asked.get(i);
            Optional<Ip> ip = had.contains(text) ? Optional.empty() : Ip.find(text);
            if (ip.isPresent()) {
                String field = "spec.externalIPs[%d]".formatted(i);
                refusal(ip.get(), ObjectMeta.of(service).key())
                        .ifPresent(why -> problems.add(Problem.invalid(field, text, why)));
            }
        }
        return problems;
    }

    private Optional<String> refusal(Ip ip, NamespacedName service) {
        if (allowed.isPresent() && allowed.get().stream().noneMatch(block -> block.contains(ip))) {
            return Optional.of("external IPs are not allowed but for " + allowed.get());
        }
        if (cidrs.blocks().stream().anyMatch(block -> block.contains(ip))) {
            return Optional.of("may not be in the range of Services");
        }
        if (trees(Kind.NODE).flatMap(ClusterAddresses::ofNode).anyMatch(ip::equals)) {
            return Optional.of("may not be the address of a node");
        }
        if (trees(Kind.NODE)
                .flatMap(node -> Json.texts(node, "spec", "podCIDRs").stream())
                .flatMap(text -> Cidr.find(text).stream())
                .anyMatch(block -> block.contains(ip))) {
            return Optional.of("may not be in the range of pods");
        }
        if (trees(Kind.POD).flatMap(ClusterAddresses::ofPod).anyMatch(ip::equals)) {
            return Optional.of("may not be the address of a pod");
        }
        boolean balanced = trees(Kind.SERVICE)
                .filter(other -> !ObjectMeta.of(other).key().equals(service))
                .flatMap(ClusterAddresses::ofBalancer)
                .anyMatch(ip::equals);
        return balanced ? Optional.of("may not be the load balancer's address of another Service") : Optional.empty();
    }

    private Stream<? extends JsonNode> trees(Kind kind) {
        return cache.of(kind).list("").items().stream().map(ApiObject::tree);
    }

    static Stream<Ip> ofNode(JsonNode node) {
        return addresses(node.path("status").path("addresses"), "address");
    }

    private static Stream<Ip> ofPod(JsonNode pod) {
        return Stream.concat(
                addresses(pod.path("status").path("podIPs"), "ip"),
                Ip.find(Json.text(pod, "status", "podIP")).stream());
    }

    private static Stream<Ip> ofBalancer(JsonNode service) {
        return Stream.concat(
                addresses(service.path("status").path("loadBalancer").path("ingress"), "ip"),
                Json.texts(service, "spec", "clusterIPs").stream().flatMap(text -> Ip.find(text).stream()));
    }

    private static Stream<Ip> addresses(JsonNode list, String field) {
        return list.valueStream().flatMap(one -> Ip.find(Json.text(one, field)).stream());
    }
}
