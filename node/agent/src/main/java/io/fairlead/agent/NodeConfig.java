package io.fairlead.agent;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Who this node is, which addresses its pods get, and where it keeps its state.
///
/// `addresses` are the node's own, pods see the first one as their host's. `namespacePrefix` begins the names
/// of the pods' network namespaces, which are one set for the whole machine: two nodes on it need two prefixes. Where
/// `podCidrs` is empty, the control plane says in the Node object which blocks the node has.
public record NodeConfig(
        String name,
        List<Ip> addresses,
        List<Cidr> podCidrs,
        Path stateDirectory,
        String namespacePrefix,
        Map<String, String> labels,
        NodeSettings settings) {
    private static final Pattern PREFIX = Pattern.compile("[a-z0-9][a-z0-9.-]{0,62}");

    public NodeConfig {
        addresses = List.copyOf(addresses);
        podCidrs = List.copyOf(podCidrs);
        labels = Map.copyOf(labels);
        require(!name.isEmpty(), "name: a node needs a name");
        require(!addresses.isEmpty(), "addresses: a node needs an address");
        require(
                PREFIX.matcher(namespacePrefix).matches(),
                "namespacePrefix: \"%s\" is not 1 to 63 of a-z, 0-9, - and .".formatted(namespacePrefix));
        checkCidrs(podCidrs);
    }

    /// With the prefix `fl-NAME` and no labels.
    public static NodeConfig of(String name, List<Ip> addresses, List<Cidr> podCidrs, Path stateDirectory) {
        return new NodeConfig(name, addresses, podCidrs, stateDirectory, "fl-" + name, Map.of(), NodeSettings.DEFAULT);
    }

    public NodeConfig withNamespacePrefix(String prefix) {
        return new NodeConfig(name, addresses, podCidrs, stateDirectory, prefix, labels, settings);
    }

    public NodeConfig withLabels(Map<String, String> labels) {
        return new NodeConfig(name, addresses, podCidrs, stateDirectory, namespacePrefix, labels, settings);
    }

    public NodeConfig withSettings(NodeSettings settings) {
        return new NodeConfig(name, addresses, podCidrs, stateDirectory, namespacePrefix, labels, settings);
    }

    NodeConfig withPodCidrs(List<Cidr> podCidrs) {
        return new NodeConfig(name, addresses, podCidrs, stateDirectory, namespacePrefix, labels, settings);
    }

    /// The node's address among its pods: the first one of the block.
    static Ip gateway(Cidr podCidr) {
        return podCidr.at(1);
    }

    private static void checkCidrs(List<Cidr> podCidrs) {
        Set<Family> seen = EnumSet.noneOf(Family.class);
        for (Cidr cidr : podCidrs) {
            require(seen.add(cidr.family()), "podCidrs: %s is the second block of %s".formatted(cidr, cidr.family()));
            require(cidr.size() >= 4, "podCidrs: %s has no room for a pod beside its gateway".formatted(cidr));
        }
    }

    private static void require(boolean rule, String sentence) {
        if (!rule) {
            throw new IllegalArgumentException(sentence);
        }
    }
}
