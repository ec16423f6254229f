package io.fairlead.ipvs;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Target;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.Route;
import io.fairlead.kernel.RouteSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// A node with three pods and a client outside, as network namespaces; all of them answer on port 8080.
///
/// ```
///  client 10.210.0.2 ── 10.210.0.1 node 10.244.N.1 ── 10.244.N.2 pod N
/// ```
///
/// and the same with fd00:210:: and fd00:244:N::. Every packet passes the node: no two pods share a link.
final class NodeNetwork implements AutoCloseable {
    static final NodeFacts FACTS =
            NodeFacts.of("node-1", List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/32")));
    static final int PODS = 3;
    static final int PORT = 8080;

    private static final String PREFIX = "flvs" + ProcessHandle.current().pid();

    final NetworkNamespace node;
    final NetworkNamespace client;
    private final List<NetworkNamespace> pods = new ArrayList<>();
    private final List<PodServer> servers = new ArrayList<>();

    NodeNetwork() {
        try {
            node = NetworkNamespace.create(PREFIX + "-node");
            client = NetworkNamespace.create(PREFIX + "-client");
            node.sysctl("ipv4/ip_forward", "1");
            node.sysctl("ipv6/conf/all/forwarding", "1");
            // Else it refuses one client six times, and then once a second.
            node.sysctl("ipv4/icmp_ratelimit", "0");
            node.sysctl("ipv6/icmp/ratelimit", "0");
            attach("client0", client, "10.210.0.", "fd00:210::");
            for (int pod = 1; pod <= PODS; pod++) {
                NetworkNamespace namespace = NetworkNamespace.create(PREFIX + "-pod" + pod);
                pods.add(namespace);
                attach("pod" + pod, namespace, "10.244.%d.".formatted(pod), "fd00:244:%d::".formatted(pod));
                servers.add(new PodServer(pod, namespace, PORT));
            }
            // The node itself must have some way to the Services, so that its packets reach the output hook.
            in(node, route -> {
                route.replaceRoute(new Route(Cidr.parse("10.96.0.0/16"), List.of(), "client0"));
                route.replaceRoute(new Route(Cidr.parse("fd00:96::/112"), List.of(), "client0"));
            });
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    NetworkNamespace pod(int number) {
        return pods.get(number - 1);
    }

    static Ip podAddress(int number, Family family) {
        return switch (family) {
            case IPV4 -> Ip.parse("10.244.%d.2".formatted(number));
            case IPV6 -> Ip.parse("fd00:244:%d::2".formatted(number));
        };
    }

    static Ip clientAddress(Family family) {
        return Ip.parse(family == Family.IPV4 ? "10.210.0.2" : "fd00:210::2");
    }

    /// The address of the node on the way to the client.
    static Ip nodeAddress(Family family) {
        return Ip.parse(family == Family.IPV4 ? "10.210.0.1" : "fd00:210::1");
    }

    static Ip vip(Family family) {
        return Ip.parse(family == Family.IPV4 ? "10.96.0.10" : "fd00:96::10");
    }

    /// The pods with these numbers, all on this node.
    static List<Target> targets(Family family, int... numbers) {
        return IntStream.of(numbers)
                .mapToObj(number -> new Target(new IpPort(podAddress(number, family), PORT), true))
                .toList();
    }

    @Override
    public void close() {
        servers.forEach(PodServer::close);
        NetworkNamespace.startingWith(PREFIX).forEach(NetworkNamespace::delete);
    }

    /// Links the node and another: the node has 1 as last number, the other 2.
    private void attach(String link, NetworkNamespace other, String ipv4, String ipv6) {
        for (NetworkNamespace namespace : List.of(node, other)) {
            // No other host can have these addresses; to look for others would keep the link silent for a second.
            namespace.sysctl("ipv6/conf/all/accept_dad", "0");
            namespace.sysctl("ipv6/conf/default/accept_dad", "0");
        }
        in(node, route -> {
            route.addVeth(link, "eth0", other);
            route.addAddress(link, Ip.parse(ipv4 + 1), 24);
            route.addAddress(link, Ip.parse(ipv6 + 1), 64);
            route.setUp(link);
        });
        in(other, route -> {
            route.addAddress("eth0", Ip.parse(ipv4 + 2), 24);
            route.addAddress("eth0", Ip.parse(ipv6 + 2), 64);
            route.setUp("eth0");
            route.replaceRoute(new Route(Cidr.parse("0.0.0.0/0"), List.of(Ip.parse(ipv4 + 1)), "eth0"));
            route.replaceRoute(new Route(Cidr.parse("::/0"), List.of(Ip.parse(ipv6 + 1)), "eth0"));
        });
    }

    private static void in(NetworkNamespace namespace, Consumer<RouteSocket> body) {
        namespace.run(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                body.accept(route);
            }
        });
    }
}
