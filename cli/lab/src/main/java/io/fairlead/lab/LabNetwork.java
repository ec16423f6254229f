package io.fairlead.lab;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.Route;
import io.fairlead.kernel.RouteSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// A [Topology] made real: namespaces, links, addresses and routes. Closing it removes them, and what runs inside.
///
/// The outer namespace has no default route, so nothing in the cluster can send a packet into the world.
public final class LabNetwork implements AutoCloseable {
    private static final String SWITCH = "switch";
    private static final String UPLINK = "eth0";
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Topology topology;

    private LabNetwork(Topology topology) {
        this.topology = topology;
    }

    /// Builds the network without a link to this machine; what was made is removed again if a step fails.
    public static LabNetwork build(Topology topology) {
        LabNetwork network = new LabNetwork(topology);
        try {
            network.makeOuter();
            topology.nodes().forEach(network::makeNode);
            network.makeClient();
            network.routeToNodes();
            return network;
        } catch (RuntimeException e) {
            network.close();
            throw e;
        }
    }

    public NetworkNamespace outer() {
        return namespace(topology.outer());
    }

    public NetworkNamespace client() {
        return namespace(topology.client());
    }

    public NetworkNamespace node(Topology.NodePlace node) {
        return namespace(node.namespace());
    }

    /// Gives this machine a link into the cluster, and routes to nodes, pods and Services.
    ///
    /// A machine that has IPv6 switched off gets the link for IPv4 alone.
    public void joinHost() {
        List<AddressPlan> plans = topology.plans().stream()
                .filter(plan -> switch (plan.family()) {
                    case IPV4 -> true;
                    case IPV6 -> hostHasIpv6();
                })
                .toList();
        try (RouteSocket host = RouteSocket.open()) {
            String link = topology.hostLink();
            host.addVeth(link, "host", outer());
            inside(outer(), outer -> {
                plans.forEach(plan ->
                        outer.addAddress("host", plan.clusterEnd(), plan.host().prefix()));
                outer.setUp("host");
            });
            plans.forEach(
                    plan -> host.addAddress(link, plan.hostEnd(), plan.host().prefix()));
            host.setUp(link);
            plans.forEach(plan -> List.of(plan.nodes(), plan.pods(), plan.services())
                    .forEach(to -> host.replaceRoute(new Route(to, List.of(plan.clusterEnd()), link))));
        }
    }

    @Override
    public void close() {
        Remains.of(topology.name()).remove(PATIENCE);
    }

    private void makeOuter() {
        NetworkNamespace outer = make(topology.outer());
        beRouter(outer);
        // Each connection to a Service finds its own node, not each client.
        outer.sysctl("ipv4/fib_multipath_hash_policy", "1");
        outer.sysctl("ipv6/fib_multipath_hash_policy", "1");
        inside(outer, route -> {
            route.addBridge(SWITCH);
            topology.plans()
                    .forEach(plan ->
                            route.addAddress(SWITCH, plan.router(), plan.nodes().prefix()));
            route.setUp(SWITCH);
        });
    }

    private void makeNode(Topology.NodePlace place) {
        NetworkNamespace node = make(place.namespace());
        beRouter(node);
        inside(outer(), route -> {
            route.addVeth(place.name(), UPLINK, node);
            route.setMaster(place.name(), SWITCH);
            route.setUp(place.name());
        });
        inside(node, route -> {
            topology.plans()
                    .forEach(plan -> route.addAddress(
                            UPLINK, plan.node(place.number()), plan.nodes().prefix()));
            route.setUp(UPLINK);
            topology.plans().forEach(plan -> routeFromNode(route, plan, place));
        });
    }

    /// Pods of other nodes are reached directly, all else through the outer namespace.
    private void routeFromNode(RouteSocket route, AddressPlan plan, Topology.NodePlace from) {
        route.replaceRoute(new Route(everywhere(plan), List.of(plan.router()), UPLINK));
        for (Topology.NodePlace other : topology.nodes()) {
            if (other.number() != from.number()) {
                Cidr pods = plan.podCidr(other.number());
                route.replaceRoute(new Route(pods, List.of(plan.node(other.number())), UPLINK));
            }
        }
    }

    private void makeClient() {
        NetworkNamespace client = make(topology.client());
        inside(outer(), route -> {
            route.addVeth("client", UPLINK, client);
            topology.plans()
                    .forEach(plan -> route.addAddress(
                            "client", plan.clientRouter(), plan.clients().prefix()));
            route.setUp("client");
        });
        inside(client, route -> {
            topology.plans()
                    .forEach(plan -> route.addAddress(
                            UPLINK, plan.client(), plan.clients().prefix()));
            route.setUp(UPLINK);
            topology.plans()
                    .forEach(plan ->
                            route.replaceRoute(new Route(everywhere(plan), List.of(plan.clientRouter()), UPLINK)));
        });
    }

    /// Pods through their nodes; Services through any node, for all of them have the proxy.
    private void routeToNodes() {
        inside(
                outer(),
                route -> topology.plans().forEach(plan -> {
                    topology.nodes().stream()
                            .map(Topology.NodePlace::number)
                            .forEach(number -> route.replaceRoute(
                                    new Route(plan.podCidr(number), List.of(plan.node(number)), SWITCH)));
                    List<Ip> all = topology.nodes().stream()
                            .map(node -> plan.node(node.number()))
                            .toList();
                    route.replaceRoute(new Route(plan.services(), all, SWITCH));
                    // What a node does not know as a Service it sends here; it must not go round.
                    route.refuse(plan.services(), SWITCH);
                }));
    }

    private static NetworkNamespace make(String name) {
        NetworkNamespace made = NetworkNamespace.create(name);
        // Addresses must work at once: no search for duplicates, which takes a second, on a network that is all ours.
        made.sysctl("ipv6/conf/default/accept_dad", "0");
        made.run(LabNetwork::letBridgesBridge);
        return made;
    }

    /// Where the kernel has br_netfilter, a bridge translates addresses itself and does not pass the packet up to be
    /// routed; one for the pod it came from is then lost.
    private static void letBridgesBridge() {
        for (String family : List.of("iptables", "ip6tables")) {
            Path file = Path.of("/proc/sys/net/bridge/bridge-nf-call-" + family);
            try {
                if (Files.exists(file)) {
                    Files.writeString(file, "0");
                }
            } catch (IOException e) {
                throw new LabException("%s cannot be set: %s".formatted(file, e.getMessage()), e);
            }
        }
    }

    private static void beRouter(NetworkNamespace namespace) {
        namespace.sysctl("ipv4/ip_forward", "1");
        namespace.sysctl("ipv6/conf/all/forwarding", "1");
    }

    private static void inside(NetworkNamespace namespace, Consumer<RouteSocket> body) {
        namespace.run(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                body.accept(route);
            }
        });
    }

    private static NetworkNamespace namespace(String name) {
        return NetworkNamespace.find(name)
                .orElseThrow(() -> new LabException("network namespace %s is gone".formatted(name)));
    }

    private static Cidr everywhere(AddressPlan plan) {
        return new Cidr(plan.nodes().network(), 0);
    }

    private static boolean hostHasIpv6() {
        try {
            Path off = Path.of("/proc/sys/net/ipv6/conf/default/disable_ipv6");
            return Files.exists(off) && Files.readString(off).strip().equals("0");
        } catch (IOException e) {
            throw new LabException("cannot tell whether this machine has IPv6: " + e.getMessage(), e);
        }
    }
}
