package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PodAddressesTest {

    @Test
    void neither_network_nor_gateway_nor_broadcast_is_given_out() {
        assertThat(takeAll("10.1.0.0/29")).containsExactly("10.1.0.2", "10.1.0.3", "10.1.0.4", "10.1.0.5", "10.1.0.6");
    }

    @Test
    void an_ipv6_block_has_no_broadcast_address() {
        assertThat(takeAll("fd00::/126")).containsExactly("fd00::2", "fd00::3");
    }

    @Test
    void a_freed_address_comes_back_as_late_as_can_be() {
        PodAddresses pool = PodAddresses.of(Cidr.parse("10.1.0.0/29"));
        pool = pool.next(_ -> false).orElseThrow();

        List<String> given = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            pool = pool.next(_ -> false).orElseThrow();
            given.add(pool.lastAddress().toString());
        }

        assertThat(given).containsExactly("10.1.0.3", "10.1.0.4", "10.1.0.5", "10.1.0.6", "10.1.0.2");
    }

    @Test
    void taken_addresses_are_passed_over() {
        Set<Ip> taken = Set.of(Ip.parse("10.1.0.2"), Ip.parse("10.1.0.3"));

        PodAddresses after =
                PodAddresses.of(Cidr.parse("10.1.0.0/24")).next(taken::contains).orElseThrow();

        assertThat(after.lastAddress()).isEqualTo(Ip.parse("10.1.0.4"));
    }

    @Test
    void a_full_block_gives_nothing() {
        assertThat(PodAddresses.of(Cidr.parse("10.1.0.0/24")).next(_ -> true)).isEmpty();
        assertThat(PodAddresses.of(Cidr.parse("fd00::/64")).next(_ -> true)).isEmpty();
    }

    private static List<String> takeAll(String cidr) {
        List<String> given = new ArrayList<>();
        var pool = PodAddresses.of(Cidr.parse(cidr)).next(_ -> false);
        while (pool.isPresent()) {
            given.add(pool.get().lastAddress().toString());
            pool = pool.get().next(ip -> given.contains(ip.toString()));
        }
        return given;
    }
}
