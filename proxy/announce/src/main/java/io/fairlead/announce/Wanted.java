package io.fairlead.announce;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import io.fairlead.api.ServicePolicies.TrafficPolicy;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// One address of a load balancer that a node must answer for: any node, or one of `nodes`, which have its pods. Pure.
record Wanted(Ip address, NamespacedName service, String uid, boolean anywhere, Set<String> nodes) {
    Wanted {
        nodes = Set.copyOf(nodes);
    }

    /// The addresses of a Service; none where another load balancer is meant, or has given them: its own machines
    /// answer for those.
    static List<Wanted> of(Service service, List<EndpointSlice> slices) {
        if (service.type() != Service.Type.LOAD_BALANCER
                || !service.loadBalancer().isOurs()
                || !service.isOnNoMachine()) {
            return List.of();
        }
        boolean anywhere = service.policies().external() == TrafficPolicy.CLUSTER;
        return service.loadBalancer().vips().stream()
                .map(ip -> new Wanted(
                        ip,
                        service.key(),
                        service.metadata().uid(),
                        anywhere,
                        anywhere ? Set.of() : nodesWithEndpoints(slices, ip)))
                .toList();
    }

    boolean mayBeOn(String node) {
        return anywhere || nodes.contains(node);
    }

    /// Those with a ready endpoint; or, when all endpoints go down, those with one that still serves.
    private static Set<String> nodesWithEndpoints(List<EndpointSlice> slices, Ip address) {
        Set<String> ready = nodes(slices, address, Endpoint::ready);
        return ready.isEmpty() ? nodes(slices, address, e -> e.serving() && e.terminating()) : ready;
    }

    private static Set<String> nodes(List<EndpointSlice> slices, Ip address, Predicate<Endpoint> which) {
        return slices.stream()
                .filter(slice -> slice.addressType().equals(address.family().toString()))
                .flatMap(slice -> slice.endpoints().stream())
                .filter(which)
                .map(Endpoint::nodeName)
                .filter(node -> !node.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }
}
