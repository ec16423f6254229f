package io.fairlead.agent;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.containers.NodeException;
import io.fairlead.containers.ProcessId;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.Route;
import io.fairlead.kernel.RouteSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/// A pod's network: a namespace, and a cable from its `eth0` to the bridge of the node.
final class PodNetwork {
    private static final String INSIDE = "eth0";
    private static final Duration DEATH_PATIENCE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(20);

    private final List<Cidr> podCidrs;

    PodNetwork(List<Cidr> podCidrs) {
        this.podCidrs = List.copyOf(podCidrs);
    }

    /// Makes what is missing. A pod in which nothing runs is given a fresh network; one that lives keeps its own.
    void build(PodRecord record) throws InterruptedException {
        if (!record.isRunning()) {
            remove(record);
        }
        String name = record.names().namespace();
        NetworkNamespace namespace = NetworkNamespace.find(name).orElseGet(() -> NetworkNamespace.create(name));
        try (RouteSocket route = RouteSocket.open()) {
            plugIn(route, record.names().link(), namespace);
        }
        namespace.run(() -> configure(record.addresses()));
    }

    /// Kills what still runs inside, and takes everything away; what is gone already is fine.
    void remove(PodRecord record) throws InterruptedException {
        killAll(record, _ -> true);
        try (RouteSocket route = RouteSocket.open()) {
            route.deleteLink(record.names().link());
        }
        find(record).ifPresent(NetworkNamespace::delete);
    }

    private static void plugIn(RouteSocket route, String link, NetworkNamespace namespace) {
        if (!route.links().contains(link)) {
            route.addVeth(link, INSIDE, namespace);
        }
        route.setMaster(link, NodeNetwork.BRIDGE);
        route.setUp(link);
    }

    /// Runs inside the namespace.
    private void configure(List<Ip> addresses) {
        try (RouteSocket route = RouteSocket.open()) {
            route.setUp(INSIDE);
            for (Ip address : addresses) {
                int bits = address.family().bits();
                Ip gateway = gatewayOf(address);
                route.addAddress(INSIDE, address, bits);
                route.replaceRoute(new Route(new Cidr(gateway, bits), List.of(), INSIDE));
                route.replaceRoute(new Route(everything(address), List.of(gateway), INSIDE));
            }
        }
    }

    private Ip gatewayOf(Ip address) {
        return podCidrs.stream()
                .filter(cidr -> cidr.contains(address))
                .findFirst()
                .map(NodeConfig::gateway)
                .orElseThrow(() -> new NodeException(
                        "the pod's address %s is in no podCIDR of this node: %s".formatted(address, podCidrs)));
    }

    private static Cidr everything(Ip of) {
        return new Cidr(of, 0);
    }

    private static void killAll(PodRecord record, LongPredicate which) throws InterruptedException {
        Optional<NetworkNamespace> namespace = find(record);
        if (namespace.isPresent()) {
            killAll(namespace.get(), which);
        }
    }

    /// Kills processes inside a namespace and waits for their end.
    static void killAll(NetworkNamespace namespace, LongPredicate which) throws InterruptedException {
        long deadline = System.nanoTime() + DEATH_PATIENCE.toNanos();
        List<ProcessId> left = living(namespace, which);
        while (!left.isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new NodeException("processes %s in %s do not die".formatted(left, namespace));
            }
            left.forEach(ProcessId::kill);
            Thread.sleep(POLL);
            left = living(namespace, which);
        }
    }

    private static List<ProcessId> living(NetworkNamespace namespace, LongPredicate which) {
        return namespace.processes().stream()
                .filter(pid -> which.test(pid))
                .flatMap(pid -> ProcessId.find(pid).stream())
                .toList();
    }

    private static Optional<NetworkNamespace> find(PodRecord record) {
        return NetworkNamespace.find(record.names().namespace());
    }
}
