package io.fairlead.announce;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Lease;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Snapshot;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A node that can announce: its announcer lives, and these networks are on its links. Pure.
record Candidate(String node, List<Cidr> networks, boolean ready) {
    /// The annotation of a Lease that names the networks.
    static final String NETWORKS = "fairlead.io/networks";

    /// The operator who drains a node sets this label, and its addresses move while it still works.
    private static final String EXCLUDED = "node.kubernetes.io/exclude-from-external-load-balancers";

    Candidate {
        networks = List.copyOf(networks);
    }

    /// Those of the live announcers whose node is to be used.
    static List<Candidate> among(Collection<Lease> leases, Set<String> live, Snapshot snapshot) {
        return leases.stream()
                .filter(lease -> live.contains(lease.holder()))
                .flatMap(lease -> snapshot
                        .nodes()
                        .find(new NamespacedName("", lease.holder()))
                        .filter(Candidate::isUsed)
                        .map(node -> new Candidate(node.name(), networks(lease), node.ready()))
                        .stream())
                .toList();
    }

    boolean reaches(Ip address) {
        return networks.stream().anyMatch(network -> network.contains(address));
    }

    private static boolean isUsed(Node node) {
        return !node.metadata().labels().containsKey(EXCLUDED)
                && !node.metadata().isTerminating();
    }

    private static List<Cidr> networks(Lease lease) {
        String text = lease.metadata().annotations().getOrDefault(NETWORKS, "");
        return Arrays.stream(text.split(",", -1))
                .map(Cidr::find)
                .flatMap(Optional::stream)
                .toList();
    }
}
