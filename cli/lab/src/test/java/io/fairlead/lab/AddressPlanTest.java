package io.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class AddressPlanTest {
    @Test
    void the_addresses_of_a_node_look_alike_in_both_families() {
        assertThat(AddressPlan.IPV4.node(1)).hasToString("10.210.0.11");
        assertThat(AddressPlan.IPV6.node(1)).hasToString("fd00:210::11");
        assertThat(AddressPlan.IPV4.podCidr(3)).hasToString("10.244.3.0/24");
        assertThat(AddressPlan.IPV6.podCidr(3)).hasToString("fd00:244:3::/64");
    }

    @Test
    void the_router_the_client_and_the_ends_of_the_host_link_have_the_written_addresses() {
        assertThat(AddressPlan.IPV4.router()).hasToString("10.210.0.1");
        assertThat(AddressPlan.IPV6.router()).hasToString("fd00:210::1");
        assertThat(AddressPlan.IPV4.client()).hasToString("198.51.100.10");
        assertThat(AddressPlan.IPV6.client()).hasToString("2001:db8::10");
        assertThat(AddressPlan.IPV4.clientRouter()).hasToString("198.51.100.1");
        assertThat(AddressPlan.IPV4.hostEnd()).hasToString("10.211.0.1");
        assertThat(AddressPlan.IPV6.clusterEnd()).hasToString("fd00:211::2");
    }

    @Test
    void the_blocks_do_not_overlap_and_each_address_lies_in_its_own() {
        for (AddressPlan plan : List.of(AddressPlan.IPV4, AddressPlan.IPV6)) {
            List<Cidr> blocks = List.of(plan.nodes(), plan.pods(), plan.services(), plan.clients(), plan.host());
            Stream.of(
                            plan.node(Topology.MAX_NODES),
                            plan.podCidr(Topology.MAX_NODES).network(),
                            plan.client())
                    .forEach(ip -> assertThat(blocksAround(ip, blocks)).hasSize(1));
            blocks.forEach(
                    block -> assertThat(blocksAround(block.network(), blocks)).containsExactly(block));
        }
    }

    private static List<Cidr> blocksAround(Ip ip, List<Cidr> blocks) {
        return blocks.stream().filter(block -> block.contains(ip)).toList();
    }
}
