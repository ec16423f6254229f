package io.fairlead.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PodDoorRulesTest {
    private static final Ip DNS = Ip.parse("10.96.0.10");

    @Test
    void a_question_gets_the_servers_place_before_it_is_tracked_and_another_node_where_there_is_no_socket() {
        PodDoorPlan plan = new PodDoorPlan(List.of(DNS), List.of(Ip.parse("192.0.2.3"), Ip.parse("192.0.2.2")));
        assertThat(PodDoorRules.replace(plan)).isEqualTo("""
            add table inet fl-node-dns
            delete table inet fl-node-dns
            table inet fl-node-dns {
              chain asked {
                type filter hook prerouting priority -300; policy accept;
                ip daddr 10.96.0.10 udp dport 53 socket wildcard 0 notrack ip daddr set 169.254.53.53
                ip daddr 10.96.0.10 tcp dport 53 socket wildcard 0 notrack ip daddr set 169.254.53.53
              }
              chain away {
                type nat hook prerouting priority -110; policy accept;
                ip daddr 10.96.0.10 udp dport 53 dnat ip to numgen random mod 2 map { 0 : 192.0.2.2, 1 : 192.0.2.3 }
                ip daddr 10.96.0.10 tcp dport 53 dnat ip to numgen random mod 2 map { 0 : 192.0.2.2, 1 : 192.0.2.3 }
              }
              chain answered {
                type filter hook output priority -300; policy accept;
                ip saddr 169.254.53.53 udp sport 53 notrack ip saddr set 10.96.0.10
                ip saddr 169.254.53.53 tcp sport 53 notrack ip saddr set 10.96.0.10
              }
            }
            """);
    }

    @Test
    void without_another_node_the_rows_of_the_service_say_who_answers() {
        assertThat(PodDoorRules.replace(new PodDoorPlan(List.of(DNS), List.of())))
                .doesNotContain("dnat");
        Ip ipv6 = Ip.parse("fd00:96::a");
        PodDoorPlan both = new PodDoorPlan(List.of(DNS, ipv6), List.of(Ip.parse("192.0.2.2")));
        assertThat(PodDoorRules.replace(both))
                .contains("ip6 daddr fd00:96::a udp dport 53 socket", "ip daddr 10.96.0.10 udp dport 53 dnat ip to")
                .doesNotContain("dnat ip6");
    }

    @Test
    void a_question_to_the_only_server_of_a_cluster_waits_for_it_while_it_is_away() {
        assertThat(PodDoorRules.replace(new PodDoorPlan(List.of(DNS), List.of(), true)))
                .contains("ip daddr 10.96.0.10 udp dport 53 drop\n", "ip daddr 10.96.0.10 tcp dport 53 drop\n")
                .doesNotContain("dnat");
        assertThat(PodDoorRules.replace(new PodDoorPlan(List.of(DNS), List.of(Ip.parse("192.0.2.2")), true)))
                .doesNotContain("drop");
    }

    @Test
    void a_plan_has_one_address_a_family_and_only_families_of_the_server() {
        assertThatThrownBy(() -> new PodDoorPlan(List.of(DNS, Ip.parse("10.96.0.11")), List.of()))
                .hasMessageContaining("one address a family");
        PodDoorPlan both = new PodDoorPlan(List.of(DNS, Ip.parse("fd00:96::a")), List.of());
        assertThat(both.within(List.of(Family.IPV4)).asked()).containsExactly(DNS);
    }
}
