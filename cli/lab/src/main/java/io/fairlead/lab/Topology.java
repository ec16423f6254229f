package io.fairlead.lab;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The network of a cluster as data: the namespaces with their names, and the addresses of each.
///
/// All that a cluster puts on a machine is named after the cluster: `fairlead`, or `fairlead-` and more. A name has
/// no dash of its own, so nothing of one cluster can be taken for a part of another.
public record Topology(String name, int nodeCount, List<AddressPlan> plans) {
    public static final String DEFAULT_NAME = "fairlead";
    public static final int MAX_NODES = 99;

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]{0,19}");

    public Topology {
        plans = List.copyOf(plans);
        requireName(name);
        if (nodeCount < 1 || nodeCount > MAX_NODES) {
            throw new LabException("nodes: %d is not between 1 and %d".formatted(nodeCount, MAX_NODES));
        }
    }

    /// A cluster of both address families.
    public static Topology of(String name, int nodes) {
        return new Topology(name, nodes, List.of(AddressPlan.IPV4, AddressPlan.IPV6));
    }

    /// A cluster of IPv4 alone.
    public static Topology ofIpv4(String name, int nodes) {
        return new Topology(name, nodes, List.of(AddressPlan.IPV4));
    }

    static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new LabException(
                    "name: \"%s\" must be 1 to 20 small letters and digits, a letter first".formatted(name));
        }
    }

    /// One node: its name in the cluster, its namespace, its addresses.
    public record NodePlace(int number, String name, String namespace, List<Ip> ips, List<Cidr> podCidrs) {
        public NodePlace {
            ips = List.copyOf(ips);
            podCidrs = List.copyOf(podCidrs);
        }
    }

    /// The namespace with the switch and the control plane.
    public String outer() {
        return name;
    }

    /// The namespace of the client that is outside the cluster.
    public String client() {
        return name + "-client";
    }

    public List<NodePlace> nodes() {
        return IntStream.rangeClosed(1, nodeCount).mapToObj(this::node).toList();
    }

    private NodePlace node(int number) {
        String node = "node-" + number;
        return new NodePlace(
                number,
                node,
                name + "-" + node,
                plans.stream().map(plan -> plan.node(number)).toList(),
                plans.stream().map(plan -> plan.podCidr(number)).toList());
    }

    /// Every namespace, the outer one first.
    public List<String> namespaces() {
        return Stream.concat(Stream.of(outer(), client()), nodes().stream().map(NodePlace::namespace))
                .toList();
    }

    /// The one link that this machine itself gets; the kernel allows 15 characters.
    public String hostLink() {
        return hostLink(name);
    }

    static String hostLink(String name) {
        return name.substring(0, Math.min(name.length(), 8)) + "-host";
    }

    public List<Cidr> podNetworks() {
        return all(AddressPlan::pods);
    }

    public List<Cidr> serviceNetworks() {
        return all(AddressPlan::services);
    }

    /// What this machine reaches through its link.
    public List<Cidr> reachedFromHost() {
        return plans.stream()
                .flatMap(plan -> Stream.of(plan.nodes(), plan.pods(), plan.services()))
                .toList();
    }

    private <T> List<T> all(Function<AddressPlan, T> what) {
        return plans.stream().map(what).toList();
    }
}
