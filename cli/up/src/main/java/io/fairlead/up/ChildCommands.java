package io.fairlead.up;

import io.fairlead.api.IpPort;
import io.fairlead.kernel.Cgroups;
import io.fairlead.lab.AddressPlan;
import io.fairlead.lab.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The command lines of a cluster's programs. Pure.
final class ChildCommands {
    static final int API_PORT = 6443;

    private final UpConfig config;
    private final Topology topology;

    ChildCommands(UpConfig config) {
        this.config = config;
        this.topology = config.topology();
    }

    /// Where the API server listens.
    IpPort apiServer() {
        return new IpPort(topology.plans().getFirst().router(), API_PORT);
    }

    Child server() {
        List<String> options = List.of(
                "server",
                "--dir",
                config.serverDir().toString(),
                "--bind",
                apiServer().toString(),
                "--service-cidr",
                joined(topology.serviceNetworks()),
                "--cluster-cidr",
                joined(topology.podNetworks()),
                "--load-balancer-pool",
                "default="
                        + joined(topology.plans().stream()
                                .map(AddressPlan::balancers)
                                .toList()),
                "--pod-security",
                config.wishes().podSecurity());
        return child("server", topology.outer(), options);
    }

    Child node(Topology.NodePlace node) {
        List<String> options = new ArrayList<>(List.of(
                "node",
                "--name",
                node.name(),
                "--dir",
                config.nodeDir(node).toString(),
                "--kubeconfig",
                config.kubeconfig(node).toString(),
                "--node-ip",
                joined(node.ips()),
                "--pod-cidr",
                joined(node.podCidrs()),
                "--cluster-cidr",
                joined(topology.podNetworks()),
                "--mode",
                config.mode(),
                "--name-prefix",
                node.namespace(),
                "--log-dir",
                config.logs().toString()));
        options.addAll(images());
        UpConfig.NodeWishes wishes = config.wishes().nodes();
        wishes.imageTables().forEach(table -> options.addAll(List.of("--image-table", table.toString())));
        if (wishes.zones() > 0) {
            options.addAll(List.of("--zone", wishes.zone(node.number())));
        }
        return child(node.name(), node.namespace(), options).in(Cgroups.ofNode(node.namespace()) + "/agent");
    }

    private List<String> images() {
        String conf = config.wishes().nodes().registriesConf();
        return conf.isEmpty() ? List.of("--sample-images") : List.of("--sample-images=OURS", "--registries-conf", conf);
    }

    /// At the edge, where the machine reaches it and it reaches every pod.
    Child ingress() {
        List<String> options = List.of(
                "ingress",
                "--kubeconfig",
                config.ingressDir().resolve("kubeconfig").toString(),
                "--nginx-dir",
                config.ingressDir().resolve("nginx").toString(),
                "--publish-address",
                apiServer().ip().toString(),
                "--nginx-user",
                "root"); // the directory of a cluster may be closed to others
        return child("ingress", topology.outer(), options);
    }

    private Child child(String name, String namespace, List<String> options) {
        List<String> command = Stream.concat(config.launcher().program().stream(), options.stream())
                .toList();
        return new Child(name, namespace, command, config.logs().resolve(name + ".log"));
    }

    private static String joined(List<?> values) {
        return values.stream().map(Object::toString).collect(Collectors.joining(","));
    }
}
