package io.fairlead.announce;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SolicitedGroupsTest {
    private static final Ip ADDRESS = Ip.parse("2001:db8::9");

    private final List<String> in = new ArrayList<>();
    private final SolicitedGroups groups = new SolicitedGroups((ip, link) -> {
        in.add(ip + " on " + link.name());
        return Optional.of(() -> in.remove(ip + " on " + link.name()));
    });

    @Test
    void an_address_that_moves_to_another_link_is_asked_for_there() {
        groups.follow(Map.of(ADDRESS, link("eth0", 2)));
        groups.follow(Map.of(ADDRESS, link("eth1", 3)));
        assertThat(in).containsExactly("2001:db8::9 on eth1");

        groups.follow(Map.of());
        assertThat(in).isEmpty();
    }

    @Test
    void only_ipv6_addresses_have_groups() {
        groups.follow(Map.of(Ip.parse("192.0.2.9"), link("eth0", 2)));
        assertThat(in).isEmpty();
    }

    private static LocalLink link(String name, int index) {
        HardwareAddress hardware = HardwareAddress.of(new byte[] {2, 0, 0, 0, 0, (byte) index});
        return new LocalLink(name, index, hardware, List.of(Cidr.parse("2001:db8::/64")));
    }
}
