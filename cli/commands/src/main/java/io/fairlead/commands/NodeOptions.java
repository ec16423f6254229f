package io.fairlead.commands;

import io.fairlead.api.Cidr;
import io.fairlead.api.IpPort;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.NodePortAddresses;
import io.fairlead.sync.ProxyConfig;
import java.util.List;
import picocli.CommandLine.Option;

/// What a proxy has to know, alone or beside the node agent; named as kube-proxy's flags are.
final class NodeOptions {
    @Option(
            names = {"--name", "--hostname-override"},
            paramLabel = "NAME",
            description = "The name of this node. Default: the host's name.")
    private String name = "";

    @Option(
            names = "--cluster-cidr",
            split = ",",
            paramLabel = "CIDR",
            converter = AddressOption.OfCidr.class,
            description =
                    "The addresses of all pods, one block of each family: what comes from elsewhere is masqueraded.")
    private List<Cidr> clusterCidrs = List.of();

    @Option(
            names = {"--mode", "--proxy-mode"},
            paramLabel = "MODE",
            description = "How to program the kernel. Default: nftables.")
    private ProxyMode mode = ProxyMode.NFTABLES;

    @Option(
            names = "--healthz-bind-address",
            paramLabel = "ADDRESS:PORT",
            converter = AddressOption.OfIpPort.class,
            description = "Where /healthz answers. Default: 0.0.0.0:10256.")
    private IpPort health = ProxyConfig.DEFAULT_HEALTH_ADDRESS;

    @Option(
            names = "--metrics-bind-address",
            paramLabel = "ADDRESS:PORT",
            converter = AddressOption.OfIpPort.class,
            description = "Where /metrics answers. Default: 127.0.0.1:10249.")
    private IpPort metrics = ProxyConfig.DEFAULT_METRICS_ADDRESS;

    String name() {
        return name.isEmpty() ? HostName.read("--name") : name;
    }

    ProxyConfig proxy() {
        NodeFacts facts = NodeFacts.of(name(), clusterCidrs).withNodePortAddresses(new NodePortAddresses.Primary());
        return new ProxyConfig(mode.toString(), facts, health, metrics);
    }
}
