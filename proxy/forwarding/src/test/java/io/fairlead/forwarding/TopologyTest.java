package io.fairlead.forwarding;

import static io.fairlead.forwarding.TestObjects.NODE_A;
import static io.fairlead.forwarding.TestObjects.rows;
import static io.fairlead.forwarding.TestObjects.service;
import static io.fairlead.forwarding.TestObjects.slice;
import static io.fairlead.forwarding.TestObjects.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The hints of the controller: all or nothing. We stand on node-a, in zone-1.
final class TopologyTest {
    private static final Service WEB = service("web", "{clusterIP: 10.96.0.10, ports: [{port: 80}]}");
    private static final NodeFacts NODE = NODE_A.withZone("zone-1");

    @Test
    void the_endpoints_of_our_zone_are_enough_if_every_endpoint_has_a_zone() {
        assertThat(targets(NODE, zone("10.244.1.1", "zone-1"), zone("10.244.1.2", "zone-2")))
                .containsExactly("10.244.1.1:8080");
    }

    @Test
    void one_endpoint_without_a_hint_makes_all_of_them_count() {
        assertThat(targets(NODE, zone("10.244.1.1", "zone-1"), hinted("10.244.1.2", "{}")))
                .hasSize(2);
    }

    @Test
    void no_endpoint_for_our_zone_makes_all_of_them_count() {
        assertThat(targets(NODE, zone("10.244.1.1", "zone-2"), zone("10.244.1.2", "zone-3")))
                .hasSize(2);
    }

    @Test
    void a_node_of_no_zone_uses_all() {
        assertThat(targets(NODE_A, zone("10.244.1.1", "zone-1"), zone("10.244.1.2", "zone-2")))
                .hasSize(2);
    }

    @Test
    void the_endpoints_for_our_node_go_before_those_for_our_zone() {
        assertThat(targets(NODE, both("10.244.1.1", "node-a"), both("10.244.1.2", "node-b")))
                .containsExactly("10.244.1.1:8080");
    }

    @Test
    void without_one_for_our_node_the_zone_counts() {
        assertThat(targets(NODE, both("10.244.1.1", "node-b"), zoneAndNode("10.244.1.2", "zone-2", "node-c")))
                .containsExactly("10.244.1.1:8080");
    }

    @Test
    void one_endpoint_without_a_node_makes_the_zone_count() {
        assertThat(targets(NODE, both("10.244.1.1", "node-a"), zone("10.244.1.2", "zone-1")))
                .hasSize(2);
    }

    @Test
    void only_ready_endpoints_are_asked_for_hints() {
        String unready =
                "{addresses: [10.244.1.9], nodeName: node-b, conditions: {ready: false, serving: false, terminating: false}}";
        assertThat(targets(NODE, zone("10.244.1.1", "zone-1"), zone("10.244.1.2", "zone-2"), unready))
                .containsExactly("10.244.1.1:8080");
    }

    @Test
    void pods_that_go_down_are_used_whatever_their_hints() {
        String conditions = "conditions: {ready: false, serving: true, terminating: true}";
        String here = "{addresses: [10.244.1.1], hints: {forZones: [{name: zone-1}]}, %s}".formatted(conditions);
        String there = "{addresses: [10.244.1.2], hints: {forZones: [{name: zone-2}]}, %s}".formatted(conditions);
        assertThat(targets(NODE, here, there)).hasSize(2);
    }

    @Test
    void hints_do_not_count_where_connections_must_stay_on_the_node() {
        Service local = service("web", "{clusterIP: 10.96.0.10, internalTrafficPolicy: Local, ports: [{port: 80}]}");
        String here = "{addresses: [10.244.1.1], nodeName: node-a, hints: {forZones: [{name: zone-2}]}}";
        String there = "{addresses: [10.244.1.2], nodeName: node-b, hints: {forZones: [{name: zone-1}]}}";
        assertThat(rows(NODE, local, slice("one", here, there))).endsWith("    10.244.1.1:8080 local\n");
    }

    @Test
    void a_table_computes_anew_for_a_node_that_came_into_another_zone() {
        Snapshot snapshot = snapshot(WEB, slice("one", zone("10.244.1.1", "zone-1"), zone("10.244.1.2", "zone-2")));
        ForwardingTable table = ForwardingTable.of(snapshot, NODE);
        NodeFacts moved = NODE.withZone("zone-2");
        assertThat(table.at(snapshot, NODE).text()).isEqualTo(table.text());
        assertThat(table.at(snapshot, moved).text())
                .isEqualTo(ForwardingTable.of(snapshot, moved).text())
                .contains("10.244.1.2");
    }

    private static List<String> targets(NodeFacts node, String... endpoints) {
        return Arrays.stream(rows(node, WEB, slice("one", endpoints)).split("\n"))
                .skip(1)
                .map(String::strip)
                .toList();
    }

    private static String zone(String address, String zone) {
        return hinted(address, "{forZones: [{name: %s}]}".formatted(zone));
    }

    private static String both(String address, String node) {
        return zoneAndNode(address, "zone-1", node);
    }

    private static String zoneAndNode(String address, String zone, String node) {
        return hinted(address, "{forZones: [{name: %s}], forNodes: [{name: %s}]}".formatted(zone, node));
    }

    private static String hinted(String address, String hints) {
        return "{addresses: [%s], nodeName: node-x, hints: %s}".formatted(address, hints);
    }
}
