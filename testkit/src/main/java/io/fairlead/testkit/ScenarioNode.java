package io.fairlead.testkit;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Node;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.NodePortAddresses;
import io.fairlead.forwarding.Packet;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// One node of a [Scenario]: what its proxy knows, and what it must forward.
public record ScenarioNode(Node node, NodeFacts facts, ForwardingTable table) {
    private static final String SETTING = "scenario/";

    /// How the proxy of a node is configured: as usual, or as the annotations of the node say.
    static NodeFacts facts(Node node) {
        Map<String, String> settings = node.metadata().annotations();
        NodeFacts facts = NodeFacts.of(node.name(), Scenario.POD_NETWORKS)
                .withZone(node.zone())
                .withAddresses(node.internalIps())
                .withServiceNetworks(Scenario.SERVICE_NETWORKS)
                .withMasqueradeAll(settings.containsKey(SETTING + "masquerade-all"))
                .withNodePortAddresses(nodePortAddresses(settings.getOrDefault(SETTING + "node-port-addresses", "")));
        return detector(settings.getOrDefault(SETTING + "local-detector", "networks"), facts);
    }

    private static NodeFacts detector(String name, NodeFacts facts) {
        return switch (name) {
            case "networks" -> facts;
            case "bridge" -> facts.withPods(new LocalPods.Bridge(Packet.BRIDGE));
            case "prefix" -> facts.withPods(new LocalPods.InterfacePrefix(Packet.BRIDGE.substring(0, 3)));
            case "none" -> facts.withPods(new LocalPods.Unknown());
            default -> throw new IllegalArgumentException("a scenario knows no local detector " + name);
        };
    }

    private static NodePortAddresses nodePortAddresses(String text) {
        return switch (text) {
            case "" -> new NodePortAddresses.Primary();
            case "all" -> new NodePortAddresses.All();
            default ->
                new NodePortAddresses.Within(
                        Arrays.stream(text.split(",")).map(Cidr::parse).toList());
        };
    }

    public String name() {
        return node.name();
    }

    /// The addresses where its node ports answer.
    public List<Ip> addresses() {
        return node.internalIps();
    }

    /// Its address in one family: the source of what the node itself sends.
    public Ip address(Family family) {
        return addresses().stream()
                .filter(ip -> ip.family() == family)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("%s has no %s address".formatted(name(), family)));
    }
}
