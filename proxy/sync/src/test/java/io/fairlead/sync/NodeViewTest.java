package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Node;
import io.fairlead.api.ServiceCidr;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.yaml.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NodeViewTest {
    private static final NodeFacts TOLD = NodeFacts.of("node-a", List.of()).withZone("old");
    private final NodeView view = new NodeView(TOLD);

    private static Snapshot node(String metadata, String rest) {
        return Snapshot.EMPTY.with(Node.of(Yaml.parseAll("metadata: {name: node-a%s}\n%s".formatted(metadata, rest))
                .getFirst()));
    }

    @Test
    void what_the_cluster_does_not_say_is_as_it_was_told() {
        assertThat(view.facts(Snapshot.EMPTY)).isEqualTo(TOLD);
        assertThat(view.mode(Snapshot.EMPTY)).isEmpty();
    }

    @Test
    void zone_and_addresses_come_from_the_node_and_networks_from_the_service_cidrs() {
        Snapshot snapshot = node(
                        ", labels: {topology.kubernetes.io/zone: a}",
                        "status: {addresses: [{type: InternalIP, address: 192.0.2.1}]}")
                .with(ServiceCidr.of(Yaml.parseAll("{metadata: {name: kubernetes}, spec: {cidrs: [10.96.0.0/16]}}")
                        .getFirst()));
        assertThat(view.facts(snapshot))
                .isEqualTo(TOLD.withZone("a")
                        .withAddresses(List.of(Ip.parse("192.0.2.1")))
                        .withServiceNetworks(List.of(Cidr.parse("10.96.0.0/16"))));
    }

    @Test
    void an_address_that_was_told_stands_above_the_nodes_of_its_family() {
        NodeView told = new NodeView(TOLD.withAddresses(List.of(Ip.parse("192.0.2.9"))));
        Snapshot snapshot = node(
                "",
                "status: {addresses: [{type: InternalIP, address: 192.0.2.1},"
                        + " {type: InternalIP, address: \"fd00::1\"}]}");
        assertThat(told.facts(snapshot).addresses()).containsExactly(Ip.parse("192.0.2.9"), Ip.parse("fd00::1"));
    }

    @Test
    void an_annotation_names_the_mode() {
        assertThat(view.mode(node(", annotations: {fairlead.io/proxy-mode: iptables}", "")))
                .hasValue("iptables");
    }

    @Test
    void a_node_that_is_about_to_go_is_not_eligible() {
        assertThat(view.isEligible(node("", ""))).isTrue();
        assertThat(view.isEligible(node(", deletionTimestamp: \"2026-01-01T00:00:00Z\"", "")))
                .isFalse();
        assertThat(view.isEligible(
                        node("", "spec: {taints: [{key: ToBeDeletedByClusterAutoscaler, effect: NoSchedule}]}")))
                .isFalse();
    }
}
