package io.fairlead.commands;

import io.fairlead.api.Cidr;
import io.fairlead.api.IpPort;
import io.fairlead.ebpf.EbpfSite;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.NodePortAddresses;
import io.fairlead.sync.ProxyConfig;
import java.nio.file.Path;
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
            description = "How to program the kernel: ${COMPLETION-CANDIDATES}. Default: nftables.")
    private ProxyMode mode = ProxyMode.NFTABLES;

    @Option(
            names = "--cgroup",
            paramLabel = "PATH",
            description = "The control group (version 2) of this node's pods and processes, for the mode ebpf."
                    + " Default: the group that the agent makes for its pods.")
    private String group = "";

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

    /// The proxy of a node whose agent keeps its state in a folder, and its pods in a control group.
    ProxyConfig proxy(Path state, String podGroup) {
        return proxy().withSite(EbpfSite.of(group.isEmpty() ? podGroup : group).withPins(state.toString()));
    }

    ProxyConfig proxy() {
        NodeFacts facts = NodeFacts.of(name(), clusterCidrs).withNodePortAddresses(new NodePortAddresses.Primary());
        return new ProxyConfig(mode.toString(), facts, health, metrics);
    }
}
