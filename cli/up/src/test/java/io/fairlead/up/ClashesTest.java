package io.fairlead.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.lab.HostView;
import io.fairlead.lab.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ClashesTest {
    private static final Topology TOPOLOGY = Topology.of("lab", 3);

    @Test
    void a_machine_elsewhere_does_not_clash() {
        HostView host = new HostView(
                List.of(taken("0.0.0.0/0", "eth0"), taken("192.0.2.0/24", "eth0"), taken("::/0", "eth0")),
                List.of(taken("192.0.2.2/32", "eth0"), taken("fd00::2/128", "eth0")));
        assertThat(Clashes.between(TOPOLOGY, host)).isEmpty();
    }

    @Test
    void a_route_into_a_block_of_the_cluster_clashes() {
        HostView host = new HostView(List.of(taken("10.244.0.0/24", "cni0")), List.of());
        assertThat(Clashes.between(TOPOLOGY, host))
                .containsExactly("this machine has a route to 10.244.0.0/24 on cni0,"
                        + " and the cluster needs 10.244.0.0/16 for pods");
    }

    @Test
    void an_address_in_a_block_of_the_cluster_clashes() {
        HostView host = new HostView(List.of(), List.of(taken("fd00:210::5/128", "eth1")));
        assertThat(Clashes.between(TOPOLOGY, host))
                .containsExactly("this machine has the address fd00:210::5 on eth1,"
                        + " and the cluster needs fd00:210::/64 for nodes");
    }

    @Test
    void a_larger_block_around_the_clusters_does_not_clash() {
        HostView host = new HostView(List.of(taken("10.0.0.0/8", "vpn0")), List.of(taken("10.1.2.3/32", "vpn0")));
        assertThat(Clashes.between(TOPOLOGY, host)).isEmpty();
    }

    @Test
    void the_lines_of_proc_are_read() {
        assertThat(HostView.route4("eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0"))
                .isEqualTo(taken("192.0.2.0/24", "eth0"));
        assertThat(HostView.route4("eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0"))
                .isEqualTo(taken("0.0.0.0/0", "eth0"));
        assertThat(HostView.route6("fd000244000100000000000000000000 40 00000000000000000000000000000000 00"
                        + " 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0"))
                .isEqualTo(taken("fd00:244:1::/64", "eth0"));
    }

    private static HostView.Taken taken(String block, String link) {
        return new HostView.Taken(Cidr.parse(block), link);
    }
}
