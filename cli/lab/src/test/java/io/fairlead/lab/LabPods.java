package io.fairlead.lab;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.forwarding.Packet;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.Route;
import io.fairlead.kernel.RouteSocket;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Namespaces that are pods without processes: wired to a bridge of their node, with the addresses a test gives
/// them. They end with the network.
///
/// As on a real node, a pod has its address alone, without its neighbours: so it sends everything through the
/// node, and the answers of a neighbour come back through the node's rules too.
final class LabPods {
    private static final String BRIDGE = Packet.BRIDGE;

    private final Topology topology;
    private final Set<String> bridged = new HashSet<>();
    private int count;

    LabPods(Topology topology) {
        this.topology = topology;
    }

    NetworkNamespace add(Topology.NodePlace place, String name, List<Ip> ips) {
        NetworkNamespace node = NetworkNamespace.find(place.namespace()).orElseThrow();
        if (bridged.add(place.namespace())) {
            node.sysctl("ipv4/conf/all/send_redirects", "0");
            node.sysctl("ipv4/conf/default/send_redirects", "0");
            inside(node, route -> addBridge(route, place));
        }
        NetworkNamespace pod = NetworkNamespace.create(topology.name() + "-pod-" + name);
        pod.sysctl("ipv6/conf/default/accept_dad", "0");
        String port = "pod" + ++count;
        inside(node, route -> {
            route.addVeth(port, "eth0", pod);
            route.setMaster(port, BRIDGE);
            route.setUp(port);
        });
        inside(pod, route -> ips.forEach(ip -> address(route, ip, place.podCidrs())));
        return pod;
    }

    private static void addBridge(RouteSocket route, Topology.NodePlace place) {
        route.addBridge(BRIDGE);
        // Of its own, or it would change with the pods, which remember it.
        route.setHardwareAddress(BRIDGE, new byte[] {2, 0, 0, 0, 0, (byte) place.number()});
        place.podCidrs().forEach(cidr -> route.addAddress(BRIDGE, cidr.at(1), cidr.prefix()));
        route.setUp(BRIDGE);
    }

    private static void address(RouteSocket route, Ip ip, List<Cidr> podCidrs) {
        Cidr own =
                podCidrs.stream().filter(cidr -> cidr.contains(ip)).findFirst().orElseThrow();
        Ip gateway = own.at(1);
        route.setUp("eth0");
        route.addAddress("eth0", ip, ip.family().bits());
        route.replaceRoute(new Route(new Cidr(gateway, ip.family().bits()), List.of(), "eth0"));
        route.replaceRoute(new Route(new Cidr(gateway, 0), List.of(gateway), "eth0"));
    }

    private static void inside(NetworkNamespace namespace, Consumer<RouteSocket> body) {
        namespace.run(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                body.accept(route);
            }
        });
    }
}
