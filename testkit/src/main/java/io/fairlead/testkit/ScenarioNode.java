package io.fairlead.testkit;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Node;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import java.util.List;

/// One node of a [Scenario]: what its proxy knows, and what it must forward.
public record ScenarioNode(Node node, NodeFacts facts, ForwardingTable table) {
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
