package io.fairlead.sync;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.NodePortAddresses;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `/configz`: the configuration that is in force, in the words of kube-proxy's; [KubeProxyConfiguration] reads it
/// back.
final class ConfigzText {
    private static final String GROUP = "kubeproxy.config.k8s.io";

    private ConfigzText() {}

    static String format(ProxyConfig config) {
        ObjectNode all = Json.object();
        all.set(GROUP, tree(config));
        return Json.pretty(all) + "\n";
    }

    static ObjectNode tree(ProxyConfig config) {
        NodeFacts node = config.node();
        ObjectNode tree = Json.object()
                .put("apiVersion", GROUP + "/v1alpha1")
                .put("kind", "KubeProxyConfiguration")
                .put("mode", config.mode())
                .put("hostnameOverride", node.name())
                .put("healthzBindAddress", address(config.healthAddress()))
                .put("metricsBindAddress", address(config.metricsAddress()))
                .put("bindAddressHardFail", config.bindHardFail())
                .put(
                        "bindAddress",
                        node.addresses().stream().findFirst().map(Ip::toString).orElse("0.0.0.0"));
        detector(tree, node.pods());
        addresses(tree.putArray("nodePortAddresses"), node.nodePortAddresses());
        masquerade(tree.putObject("iptables"), node).put("localhostNodePorts", node.localhostNodePorts());
        masquerade(tree.putObject("nftables"), node);
        IpvsSettings.write(config.options().ipvs(), node.scheduler(), tree);
        return tree;
    }

    private static String address(Optional<IpPort> address) {
        return address.map(IpPort::toString).orElse(KubeProxyConfiguration.NOWHERE);
    }

    private static void detector(ObjectNode tree, LocalPods pods) {
        switch (pods) {
            case LocalPods.Networks(List<Cidr> networks) ->
                tree.put("detectLocalMode", "ClusterCIDR")
                        .put(
                                "clusterCIDR",
                                networks.stream().map(Cidr::toString).collect(Collectors.joining(",")));
            case LocalPods.Bridge(String name) ->
                tree.put("detectLocalMode", "BridgeInterface")
                        .putObject("detectLocal")
                        .put("bridgeInterface", name);
            case LocalPods.InterfacePrefix(String prefix) ->
                tree.put("detectLocalMode", "InterfaceNamePrefix")
                        .putObject("detectLocal")
                        .put("interfaceNamePrefix", prefix);
            case LocalPods.Unknown _ ->
                tree.put("detectLocalMode", "ClusterCIDR").put("clusterCIDR", "");
        }
    }

    private static void addresses(ArrayNode list, NodePortAddresses addresses) {
        switch (addresses) {
            case NodePortAddresses.All _ -> list.add("all");
            case NodePortAddresses.Primary _ -> list.add("primary");
            case NodePortAddresses.PrimaryAnd(List<Cidr> networks) -> {
                list.add("primary");
                networks.forEach(network -> list.add(network.toString()));
            }
            case NodePortAddresses.Within(List<Cidr> networks) ->
                networks.forEach(network -> list.add(network.toString()));
        }
    }

    private static ObjectNode masquerade(ObjectNode mode, NodeFacts node) {
        return mode.put("masqueradeBit", node.masqueradeBit()).put("masqueradeAll", node.masqueradeAll());
    }
}
