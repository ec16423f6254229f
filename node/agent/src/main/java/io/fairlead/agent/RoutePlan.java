package io.fairlead.agent;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Node;
import io.fairlead.api.Snapshot;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The ways to the pods of the other nodes: each podCIDR by the address of the node that has it. Pure.
final class RoutePlan {
    private static final Comparator<Node> AGE = Comparator.comparing(
                    (Node node) -> node.metadata().creationTimestamp())
            .thenComparing(Node::name);

    private RoutePlan() {}

    /// The routes of the node `own`. No block leads away what belongs to another node or to this one: it is left
    /// out if it overlaps our own, or that of a node that is older, or if an address of a node is in it. Of one
    /// second, the first node by name counts as the older.
    static SortedMap<Cidr, Ip> of(Snapshot snapshot, NodeConfig own) {
        SortedMap<Cidr, Ip> routes = new TreeMap<>();
        List<Ip> addresses = Stream.concat(
                        own.addresses().stream(),
                        snapshot.nodes().values().flatMap(node -> node.internalIps().stream()))
                .toList();
        snapshot.nodes()
                .values()
                .filter(node -> !node.name().equals(own.name()))
                .sorted(AGE)
                .forEach(node -> addRoutes(routes, node, own, addresses));
        return routes;
    }

    private static void addRoutes(SortedMap<Cidr, Ip> routes, Node node, NodeConfig own, List<Ip> addresses) {
        for (Cidr cidr : node.podCidrs()) {
            boolean free = Stream.concat(own.podCidrs().stream(), routes.keySet().stream())
                            .noneMatch(cidr::overlaps)
                    && addresses.stream().noneMatch(cidr::contains);
            node.internalIps().stream()
                    .filter(ip -> free && ip.family() == cidr.family())
                    .findFirst()
                    .ifPresent(ip -> routes.put(cidr, ip));
        }
    }
}
