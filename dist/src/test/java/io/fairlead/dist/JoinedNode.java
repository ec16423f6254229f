package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.kernel.Cgroups;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.kernel.Route;
import io.fairlead.kernel.RouteSocket;
import io.fairlead.lab.AddressPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A machine that joins a cluster that runs: a namespace on its switch, and in it a node agent that brings no addresses
/// for its pods.
final class JoinedNode {
    private static final List<AddressPlan> PLANS = List.of(AddressPlan.IPV4, AddressPlan.IPV6);

    private final NetworkNamespace namespace;
    private final Path dir;
    private final Launched agent;

    private JoinedNode(NetworkNamespace namespace, Path dir, Launched agent) {
        this.namespace = namespace;
        this.dir = dir;
        this.agent = agent;
    }

    /// The nodes of these numbers, as `up` counts them; their agents are started, but they need not be ready yet.
    static List<JoinedNode> join(RunningCluster cluster, int... numbers) throws Exception {
        List<Launched> letters = new ArrayList<>();
        for (int number : numbers) {
            letters.add(invite(cluster, number));
        }
        for (Launched letter : letters) {
            assertThat(letter.result().exit()).as(letter.output()).isZero();
        }
        List<JoinedNode> joined = new ArrayList<>();
        for (int number : numbers) {
            joined.add(start(cluster, number));
        }
        return joined;
    }

    private static Path dir(RunningCluster cluster, int number) throws IOException {
        return Files.createDirectories(cluster.dir().resolve("joined/node-" + number));
    }

    /// Writes the kubeconfig of a node, as its operator does.
    private static Launched invite(RunningCluster cluster, int number) throws IOException {
        Path dir = dir(cluster, number);
        return Launched.start(
                dir,
                "kubeconfig",
                "--dir",
                cluster.dir().resolve("server").toString(),
                "--node",
                "node-" + number,
                "--output",
                dir.resolve("kubeconfig").toString());
    }

    private static JoinedNode start(RunningCluster cluster, int number) throws IOException {
        String name = "node-" + number;
        Path dir = dir(cluster, number);
        NetworkNamespace namespace = plug(cluster, number);
        List<String> ips =
                PLANS.stream().map(plan -> plan.node(number).toString()).toList();
        Launched agent = Launched.startIn(
                namespace,
                dir,
                "node",
                "--name",
                name,
                "--dir",
                dir.toString(),
                "--kubeconfig",
                dir.resolve("kubeconfig").toString(),
                "--node-ip",
                String.join(",", ips),
                "--cluster-cidr",
                PLANS.getFirst().pods() + "," + PLANS.getLast().pods(),
                "--name-prefix",
                namespace.name(),
                "--sample-images");
        return new JoinedNode(namespace, dir, agent);
    }

    NetworkNamespace namespace() {
        return namespace;
    }

    static Ip address(int number) {
        return AddressPlan.IPV4.node(number);
    }

    /// A cable into the switch, and the router of the nodes as the way to everywhere else. The name is one of the
    /// cluster's, so that its end takes this away too.
    private static NetworkNamespace plug(RunningCluster cluster, int number) {
        NetworkNamespace outer = NetworkNamespace.find(cluster.name()).orElseThrow();
        String name = "node-" + number;
        NetworkNamespace node = NetworkNamespace.create(cluster.name() + "-" + name);
        node.sysctl("ipv6/conf/default/accept_dad", "0");
        node.sysctl("ipv4/ip_forward", "1");
        node.sysctl("ipv6/conf/all/forwarding", "1");
        inside(outer, route -> {
            route.addVeth(name, "eth0", node);
            route.setMaster(name, "switch");
            route.setUp(name);
        });
        inside(node, route -> {
            PLANS.forEach(plan ->
                    route.addAddress("eth0", plan.node(number), plan.nodes().prefix()));
            route.setUp("eth0");
            PLANS.forEach(plan ->
                    route.replaceRoute(new Route(new Cidr(plan.nodes().network(), 0), List.of(plan.router()), "eth0")));
        });
        return node;
    }

    private static void inside(NetworkNamespace namespace, Consumer<RouteSocket> change) {
        namespace.run(() -> {
            try (RouteSocket route = RouteSocket.open()) {
                change.accept(route);
            }
        });
    }

    /// The agent is killed, and its operator takes all away that it made; nothing but the machine's own link is left.
    void leave() throws Exception {
        agent.kill();
        Launched cleanup = Launched.startIn(
                namespace,
                dir,
                "node",
                "--cleanup",
                "--name",
                "any",
                "--dir",
                dir.toString(),
                "--name-prefix",
                namespace.name());
        Launched.Result result = cleanup.result();
        try {
            assertThat(result.exit()).as(result.output()).isZero();
            assertThat(result.output()).contains("removed the pods").contains("removed the rules of mode nftables");
            inside(namespace, route -> assertThat(route.links()).containsExactlyInAnyOrder("lo", "eth0"));
            assertThat(NetworkNamespace.startingWith(namespace.name() + "_")).isEmpty();
        } finally {
            Cgroups.remove(Cgroups.ofNode(namespace.name()));
            namespace.delete();
        }
    }
}
