package io.fairlead.agent;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Node;
import io.fairlead.api.Snapshot;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;

/// The ways to the pods of the other nodes: each podCIDR by the address of the node that has it. Pure.
final class RoutePlan {
    private RoutePlan() {}

    /// The routes of the node `own`. Of two nodes that claim one block, the first by name has it.
    static SortedMap<Cidr, Ip> of(Snapshot snapshot, NodeConfig own) {
        SortedMap<Cidr, Ip> routes = new TreeMap<>();
        snapshot.nodes()
                .values()
                .filter(node -> !node.name().equals(own.name()))
                .sorted(Comparator.comparing(Node::name))
                .forEach(node -> addRoutes(routes, node));
        // Never away from our own pods, whatever another node says it has.
        routes.keySet().removeAll(own.podCidrs());
        return routes;
    }

    private static void addRoutes(SortedMap<Cidr, Ip> routes, Node node) {
        for (Cidr cidr : node.podCidrs()) {
            node.internalIps().stream()
                    .filter(ip -> ip.family() == cidr.family())
                    .findFirst()
                    .ifPresent(ip -> routes.putIfAbsent(cidr, ip));
        }
    }
}
