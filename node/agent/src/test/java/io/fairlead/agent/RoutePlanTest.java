package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Node;
import io.fairlead.api.Snapshot;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoutePlanTest {
    private final NodeConfig own =
            NodeConfig.of("one", List.of(Ip.parse("192.0.2.1")), List.of(Cidr.parse("10.1.1.0/24")), Path.of("unused"));

    @Test
    void each_block_goes_to_its_node_by_the_address_of_the_same_family() {
        Snapshot snapshot = Snapshot.EMPTY
                .with(node("one", "'10.1.1.0/24'", "192.0.2.1"))
                .with(node("two", "'10.1.2.0/24', 'fd00:2::/64'", "192.0.2.2", "fd00::2"))
                .with(node("three", "'10.1.3.0/24', 'fd00:3::/64'", "192.0.2.3"));

        assertThat(RoutePlan.of(snapshot, own))
                .hasSize(3)
                .containsEntry(Cidr.parse("10.1.2.0/24"), Ip.parse("192.0.2.2"))
                .containsEntry(Cidr.parse("fd00:2::/64"), Ip.parse("fd00::2"))
                .containsEntry(Cidr.parse("10.1.3.0/24"), Ip.parse("192.0.2.3"));
    }

    @Test
    void no_node_takes_our_own_block_or_that_of_an_earlier_node() {
        Snapshot snapshot = Snapshot.EMPTY
                .with(node("two", "'10.1.1.0/24'", "192.0.2.2"))
                .with(node("four", "'10.1.5.0/24'", "192.0.2.4"))
                .with(node("three", "'10.1.5.0/24'", "192.0.2.3"));

        assertThat(RoutePlan.of(snapshot, own))
                .hasSize(1)
                .containsEntry(Cidr.parse("10.1.5.0/24"), Ip.parse("192.0.2.4"));
    }

    @Test
    void a_block_that_overlaps_another_or_holds_a_node_leads_nowhere() {
        Snapshot snapshot = Snapshot.EMPTY
                .with(aged("2026-06-01", "a-thief", "'10.1.2.0/25', '0.0.0.0/1', '10.1.1.128/25'", "192.0.2.9"))
                .with(aged("2026-06-02", "wide", "'128.0.0.0/1', '10.1.0.0/16'", "192.0.2.8"))
                .with(aged("2026-01-01", "two", "'10.1.2.0/24'", "192.0.2.2"));

        assertThat(RoutePlan.of(snapshot, own))
                .hasSize(1)
                .containsEntry(Cidr.parse("10.1.2.0/24"), Ip.parse("192.0.2.2"));
    }

    private static Node node(String name, String cidrs, String... addresses) {
        return aged("", name, cidrs, addresses);
    }

    private static Node aged(String created, String name, String cidrs, String... addresses) {
        List<String> list = List.of(addresses).stream()
                .map("{'type': 'InternalIP', 'address': '%s'}"::formatted)
                .toList();
        return Node.of(Json.parse(
                "{'metadata': {'name': '%s', 'creationTimestamp': '%s'}, 'spec': {'podCIDRs': [%s]}, 'status': {'addresses': [%s]}}"
                        .formatted(name, created, cidrs, String.join(", ", list))
                        .replace('\'', '"')));
    }
}
