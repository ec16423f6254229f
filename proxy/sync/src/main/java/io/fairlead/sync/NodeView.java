package io.fairlead.sync;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.ServiceCidr;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.NodeFacts;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What the cluster says of the node we stand on; what it does not say is as the configuration of the proxy says.
public final class NodeView {
    /// The annotation of a Node that names the mode of its proxy, which changes over while it runs.
    static final String MODE = "fairlead.io/proxy-mode";

    private static final String TO_BE_DELETED = "ToBeDeletedByClusterAutoscaler";

    private final NodeFacts told;

    public NodeView(NodeFacts told) {
        this.told = told;
    }

    public NodeFacts facts(Snapshot snapshot) {
        NodeFacts facts = told;
        Optional<Node> node = node(snapshot);
        if (node.isPresent()) {
            facts = facts.withZone(node.get().zone());
            facts = facts.withAddresses(addresses(node.get()));
        }
        List<Cidr> networks = serviceNetworks(snapshot);
        return networks.isEmpty() ? facts : facts.withServiceNetworks(networks);
    }

    /// What the configuration says of a family stands above what the cluster says of it.
    private List<Ip> addresses(Node node) {
        List<Family> own = told.addresses().stream().map(Ip::family).toList();
        return Stream.concat(
                        told.addresses().stream(), node.internalIps().stream().filter(ip -> !own.contains(ip.family())))
                .toList();
    }

    /// The mode that the cluster wants here, if it says one.
    Optional<String> mode(Snapshot snapshot) {
        return node(snapshot)
                .map(node -> node.metadata().annotations().get(MODE))
                .filter(mode -> !mode.isEmpty());
    }

    /// False for a node that is being deleted, or that the cluster's autoscaler is about to take away.
    boolean isEligible(Snapshot snapshot) {
        return node(snapshot)
                .filter(node -> node.metadata().isTerminating()
                        || node.taints().stream().anyMatch(taint -> taint.key().equals(TO_BE_DELETED)))
                .isEmpty();
    }

    private Optional<Node> node(Snapshot snapshot) {
        return snapshot.nodes().find(new NamespacedName("", told.name()));
    }

    private static List<Cidr> serviceNetworks(Snapshot snapshot) {
        return snapshot.serviceCidrs()
                .values()
                .sorted(Comparator.comparing(ServiceCidr::key))
                .flatMap(cidr -> cidr.cidrs().stream())
                .distinct()
                .toList();
    }
}
