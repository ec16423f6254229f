package io.fairlead.ebpf;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.forwarding.Target;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.Route;
import io.fairlead.kernel.RouteSocket;
import io.fairlead.testkit.PodServer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// A node with three pods, as network namespaces; the pods answer on port 8080.
///
/// ```
///  node 10.244.N.1 ── 10.244.N.2 pod N        and the same with fd00:244:N::
/// ```
final class PodNetwork implements AutoCloseable {
    static final int PORT = 8080;
    private static final int PODS = 3;
    private static final String PREFIX = "flbpf" + ProcessHandle.current().pid();

    final NetworkNamespace node;
    private final List<NetworkNamespace> pods = new ArrayList<>();
    private final List<PodServer> servers = new ArrayList<>();

    PodNetwork() {
        try {
            node = NetworkNamespace.create(PREFIX + "-node");
            node.sysctl("ipv4/ip_forward", "1");
            node.sysctl("ipv6/conf/all/forwarding", "1");
            for (int pod = 1; pod <= PODS; pod++) {
                NetworkNamespace namespace = NetworkNamespace.create(PREFIX + "-pod" + pod);
                pods.add(namespace);
                attach(pod, namespace);
                servers.add(new PodServer(pod, namespace, PORT));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    NetworkNamespace pod(int number) {
        return pods.get(number - 1);
    }

    static Ip podAddress(int number, Family family) {
        return Ip.parse((family == Family.IPV4 ? "10.244.%d.2" : "fd00:244:%d::2").formatted(number));
    }

    static Ip nodeAddress(int number, Family family) {
        return Ip.parse((family == Family.IPV4 ? "10.244.%d.1" : "fd00:244:%d::1").formatted(number));
    }

    static IpPort vip(Family family) {
        return new IpPort(Ip.parse(family == Family.IPV4 ? "10.96.0.10" : "fd00:96::10"), 80);
    }

    static List<Target> targets(Family family, boolean local, int... numbers) {
        return IntStream.of(numbers)
                .mapToObj(number -> new Target(new IpPort(podAddress(number, family), PORT), local))
                .toList();
    }

    private void attach(int pod, NetworkNamespace namespace) {
        for (NetworkNamespace one : List.of(node, namespace)) {
            // Each address is there once; to look for others would keep the link silent for a second.
            one.sysctl("ipv6/conf/all/accept_dad", "0");
            one.sysctl("ipv6/conf/default/accept_dad", "0");
        }
        String link = "pod" + pod;
        in(node, route -> {
            route.addVeth(link, "eth0", namespace);
            route.addAddress(link, nodeAddress(pod, Family.IPV4), 24);
            route.addAddress(link, nodeAddress(pod, Family.IPV6), 64);
            route.setUp(link);
        });
        in(namespace, route -> {
            route.addAddress("eth0", podAddress(pod, Family.IPV4), 24);
            route.addAddress("eth0", podAddress(pod, Family.IPV6), 64);
            route.setUp("eth0");
            route.replaceRoute(new Route(Cidr.parse("0.0.0.0/0"), List.of(nodeAddress(pod, Family.IPV4)), "eth0"));
            route.replaceRoute(new Route(Cidr.parse("::/0"), List.of(nodeAddress(pod, Family.IPV6)), "eth0"));
        });
    }

    private static void in(NetworkNamespace namespace, Consumer<RouteSocket> body) {
        namespace.run(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                body.accept(route);
            }
        });
    }

    @Override
    public void close() {
        servers.forEach(PodServer::close);
        NetworkNamespace.startingWith(PREFIX).forEach(NetworkNamespace::delete);
    }
}
