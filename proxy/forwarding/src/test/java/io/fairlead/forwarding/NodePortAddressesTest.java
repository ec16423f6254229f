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

    private static List<String> networks(NodePortAddresses policy, Family family) {
        return NODE.withNodePortAddresses(policy).nodePortNetworks(family).stream()
                .map(Cidr::toString)
                .toList();
    }
}
