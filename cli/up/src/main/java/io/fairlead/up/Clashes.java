package io.fairlead.up;

import io.fairlead.api.Cidr;
import io.fairlead.lab.HostView;
import io.fairlead.lab.Topology;
import java.util.List;
import java.util.stream.Stream;

/// What on this machine stands in the way of a cluster, as sentences. Pure.
final class Clashes {
    private Clashes() {}

    /// The routes and addresses that lie inside the cluster's blocks. A route to a larger block around them is no
    /// clash: the cluster's are more exact and win while it runs.
    static List<String> between(Topology topology, HostView host) {
        return topology.plans().stream()
                .flatMap(plan -> Stream.of(
                        clashes(host, plan.nodes(), "nodes"),
                        clashes(host, plan.pods(), "pods"),
                        clashes(host, plan.services(), "Services"),
                        clashes(host, plan.host(), "the link to this machine")))
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    private static List<String> clashes(HostView host, Cidr wanted, String purpose) {
        Stream<String> routes = inside(host.routes(), wanted)
                .map(route -> "this machine has a route to %s on %s, and the cluster needs %s for %s"
                        .formatted(route.block(), route.link(), wanted, purpose));
        Stream<String> addresses = inside(host.addresses(), wanted)
                .map(address -> "this machine has the address %s on %s, and the cluster needs %s for %s"
                        .formatted(address.block().network(), address.link(), wanted, purpose));
        return Stream.concat(addresses, routes).toList();
    }

    private static Stream<HostView.Taken> inside(List<HostView.Taken> taken, Cidr wanted) {
        return taken.stream()
                .filter(one -> one.block().prefix() >= wanted.prefix()
                        && wanted.contains(one.block().network()));
    }
}
