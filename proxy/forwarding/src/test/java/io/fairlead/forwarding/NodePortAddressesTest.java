package io.fairlead.forwarding;

import static io.fairlead.forwarding.TestObjects.NODE_A;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NodePortAddressesTest {
    private static final NodeFacts NODE =
            NODE_A.withAddresses(List.of(Ip.parse("192.0.2.11"), Ip.parse("2001:db8::11")));

    @Test
    void all_addresses_are_everywhere() {
        assertThat(networks(new NodePortAddresses.All(), Family.IPV4)).containsExactly("0.0.0.0/0");
        assertThat(networks(new NodePortAddresses.All(), Family.IPV6)).containsExactly("::/0");
    }

    @Test
    void primary_addresses_are_those_of_the_node() {
        assertThat(networks(new NodePortAddresses.Primary(), Family.IPV4)).containsExactly("192.0.2.11/32");
        assertThat(networks(new NodePortAddresses.Primary(), Family.IPV6)).containsExactly("2001:db8::11/128");
    }

    @Test
    void networks_of_one_family_leave_the_other_open() {
        NodePortAddresses within = new NodePortAddresses.Within(List.of(Cidr.parse("192.0.2.0/24")));
        assertThat(networks(within, Family.IPV4)).containsExactly("192.0.2.0/24");
        assertThat(networks(within, Family.IPV6)).containsExactly("::/0");
    }

    @Test
    void words_and_networks_add_up() {
        NodePortAddresses some = NodePortAddresses.of(List.of("primary", "localhost", "198.51.100.0/24"));
        assertThat(networks(some, Family.IPV4)).containsExactly("127.0.0.0/8", "192.0.2.11/32", "198.51.100.0/24");
        assertThat(networks(some, Family.IPV6)).containsExactly("::1/128", "2001:db8::11/128");
        assertThat(NodePortAddresses.of(List.of("localhost", "all"))).isEqualTo(new NodePortAddresses.All());
        assertThat(NodePortAddresses.of(List.of())).isEqualTo(new NodePortAddresses.Primary());
        assertThat(networks(NodePortAddresses.of(List.of("primary", "0.0.0.0/0")), Family.IPV4))
                .containsExactly("0.0.0.0/0");
    }

    @Test
    void localhost_alone_is_nowhere_else() {
        NodePortAddresses localhost = NodePortAddresses.of(List.of("localhost"));
        assertThat(networks(localhost, Family.IPV4)).containsExactly("127.0.0.0/8");
        assertThat(networks(localhost, Family.IPV6)).containsExactly("::1/128");
    }

    private static List<String> networks(NodePortAddresses policy, Family family) {
        return NODE.withNodePortAddresses(policy).nodePortNetworks(family).stream()
                .map(Cidr::toString)
                .toList();
    }
}
