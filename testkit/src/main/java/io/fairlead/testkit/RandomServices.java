package io.fairlead.testkit;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.api.Yaml;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.testkit.Packet.Entrance;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// A cluster at random: Services of all types and policies, endpoints in all states, one to five nodes; and packets.
///
/// The same seed gives the same cluster.
final class RandomServices {
    private static final int SERVICES = 8;

    private final RandomGenerator random;
    private final int nodes;

    RandomServices(long seed) {
        this.random = new Random(seed);
        this.nodes = 1 + random.nextInt(5);
    }

    List<NodeFacts> nodes() {
        return IntStream.range(0, nodes)
                .mapToObj(number -> NodeFacts.of("node-" + number, Scenario.POD_NETWORKS)
                        .withZone("zone-" + number % 2)
                        .withAddresses(List.of(
                                Ip.parse("10.210.0.11").plus(number),
                                Ip.parse("fd00:210::11").plus(number)))
                        .withServiceNetworks(Scenario.SERVICE_NETWORKS)
                        .withMasqueradeAll(number == 3))
                .toList();
    }

    Snapshot snapshot() {
        Snapshot snapshot = Snapshot.EMPTY;
        for (int number = 0; number < SERVICES; number++) {
            snapshot = snapshot.with(service(number));
            for (Family family : Family.values()) {
                snapshot = snapshot.with(slice(number, family));
            }
        }
        return snapshot;
    }

    /// The first packet of a connection to something that may be a frontend, as `node` sees it.
    Packet packet(NodeFacts node) {
        boolean six = random.nextInt(3) == 0;
        int number = random.nextInt(SERVICES + 1);
        Ip own = node.addresses().get(six ? 1 : 0);
        Ip address = one(six
                        ? List.of("fd00:96::1%d", "2001:db8:1::1%d", "2001:db8:1::2%d", own.toString())
                        : List.of("10.96.0.1%d", "203.0.113.1%d", "203.0.113.2%d", own.toString()))
                .transform(text -> Ip.parse(text.formatted(number)));
        boolean nodePort = address.equals(own);
        int port = nodePort ? 30000 + number : one(List.of(80, 80, 80, 81));
        Protocol protocol = one(List.of(Protocol.TCP, Protocol.TCP, Protocol.UDP, Protocol.SCTP));
        boolean fromNode = random.nextInt(4) == 0;
        Ip source = fromNode ? own : Ip.parse(one(sources(node, six, nodePort)));
        return new Packet(source, new IpPort(address, port), protocol, fromNode ? Entrance.NODE : Entrance.INTERFACE);
    }

    /// Who sends through an interface: clients outside, pods of the node; and those of others, which come for its node
    /// ports alone.
    private List<String> sources(NodeFacts node, boolean six, boolean nodePort) {
        int pods = 1 + (nodePort ? random.nextInt(nodes) : nodes().indexOf(node));
        return six
                ? List.of("fd00:244:%d::1".formatted(pods), "fd00:244:%d::3".formatted(pods), "2001:db8::10")
                : List.of("10.244.%d.1".formatted(pods), "10.244.%d.3".formatted(pods), "198.51.100.10", "192.0.2.9");
    }

    private Service service(int number) {
        List<String> spec = new ArrayList<>();
        spec.add("type: " + one(List.of("ClusterIP", "NodePort", "LoadBalancer", "LoadBalancer")));
        spec.add("clusterIP: 10.96.0.1%d, clusterIPs: [10.96.0.1%1$d, \"fd00:96::1%1$d\"]".formatted(number));
        maybe(spec, "internalTrafficPolicy: Local");
        maybe(spec, "externalTrafficPolicy: Local");
        maybe(spec, "sessionAffinity: ClientIP");
        maybe(spec, "externalIPs: [203.0.113.1%d, \"2001:db8:1::1%1$d\"]".formatted(number));
        maybe(spec, "loadBalancerSourceRanges: [198.51.100.0/23, 10.244.1.0/25, \"fd00:244:1::/49\"]");
        String nodePort = random.nextBoolean() ? ", nodePort: " + (30000 + number) : "";
        spec.add("ports: [{port: 80, protocol: %s%s}]".formatted(protocol(number), nodePort));
        return Service.of(
                Yaml.parseAll("""
                    metadata: {namespace: default, name: service-%d}
                    spec: {%s}
                    status: {loadBalancer: {ingress: [{ip: 203.0.113.2%1$d, ipMode: %s}, {ip: "2001:db8:1::2%1$d"}]}}
                    """.formatted(number, String.join(", ", spec), one(List.of("VIP", "VIP", "Proxy"))))
                        .getFirst());
    }

    private static String protocol(int number) {
        return number % 4 == 3 ? "SCTP" : number % 4 == 2 ? "UDP" : "TCP";
    }

    private EndpointSlice slice(int number, Family family) {
        String endpoints = String.join(
                ", ",
                IntStream.range(0, random.nextInt(5))
                        .mapToObj(_ -> endpoint(family))
                        .toList());
        return EndpointSlice.of(Yaml.parseAll("""
            metadata: {namespace: default, name: service-%d-%s, labels: {kubernetes.io/service-name: service-%1$d}}
            addressType: %2$s
            ports: [{port: 8080, protocol: %s}]
            endpoints: [%s]
            """.formatted(number, family, protocol(number), endpoints))
                .getFirst());
    }

    private String endpoint(Family family) {
        int node = random.nextInt(nodes);
        String address =
                (family == Family.IPV4 ? "10.244.%d.%d" : "fd00:244:%d::%d").formatted(node + 1, 1 + random.nextInt(4));
        boolean ready = random.nextInt(3) > 0;
        String hints = random.nextInt(3) == 0 ? "" : ", hints: {forZones: [{name: zone-%d}]}".formatted(node % 2);
        return "{addresses: [\"%s\"], nodeName: node-%d, conditions: {ready: %s, serving: %s, terminating: %s}%s}"
                .formatted(address, node, ready, ready || random.nextBoolean(), !ready && random.nextBoolean(), hints);
    }

    private void maybe(List<String> spec, String words) {
        if (random.nextInt(3) == 0) {
            spec.add(words);
        }
    }

    private <T> T one(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }
}
