package io.fairlead.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ServicePortName;
import java.util.stream.Collectors;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

final class CounterTextTest {
    private static final ServicePortName WEB =
            new ServicePortName(new NamespacedName("default", "web"), "http", Protocol.TCP);

    private static final String SAVED = """
        *nat
        :KUBE-SERVICES - [0:0]
        [47:2820] -A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
        [40:2400] -A KUBE-SERVICES -d 10.96.0.10/32 -p tcp -m comment --comment "default/web:http cluster IP" -m tcp \
        --dport 80 -j KUBE-SVC-B
        [7:420] -A KUBE-SERVICES -m comment --comment "kubernetes service nodeports; NOTE: this must be the last rule \
        in this chain" -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS
        [7:420] -A KUBE-NODEPORTS -p tcp -m comment --comment "default/web:http" -m tcp --dport 30080 -j KUBE-EXT-B
        [7:420] -A KUBE-EXT-B -m comment --comment "masquerade traffic for default/web:http external" -j KUBE-MARK-MASQ
        [47:2820] -A KUBE-SVC-B -m comment --comment "default/web:http -> 10.244.1.11:8080" -j KUBE-SEP-O4J26WSJLPEYCUWP
        [0:0] -A KUBE-SEP-O4J26WSJLPEYCUWP -s 10.244.1.11/32 -m comment --comment "default/web:http" -j KUBE-MARK-MASQ
        [47:2820] -A KUBE-SEP-O4J26WSJLPEYCUWP -p tcp -m comment --comment "default/web:http" -m tcp -j DNAT \
        --to-destination 10.244.1.11:8080
        COMMIT
        """;

    @Test
    void frontends_and_endpoints_are_counted_and_nothing_else() {
        assertThat(CounterText.connections(Family.IPV4, SAVED))
                .hasSize(3)
                .allSatisfy(count -> assertThat(count.service()).isEqualTo(WEB))
                .extracting(ConnectionCount::getClass, ConnectionCount::connections)
                .containsExactly(
                        Tuple.tuple(ConnectionCount.ToService.class, 40L),
                        Tuple.tuple(ConnectionCount.ToService.class, 7L),
                        Tuple.tuple(ConnectionCount.ToTarget.class, 47L));
        assertThat(CounterText.connections(Family.IPV4, SAVED).getLast())
                .isEqualTo(new ConnectionCount.ToTarget(
                        new ChainKey(Family.IPV4, Table.NAT, "KUBE-SEP-O4J26WSJLPEYCUWP"),
                        WEB,
                        IpPort.parse("10.244.1.11:8080"),
                        47));
    }

    @Test
    void a_port_without_a_name_and_an_endpoint_of_ipv6_are_read_too() {
        String saved = """
            [0:0] -A KUBE-NODEPORTS -p udp -m comment --comment "default/dns" -m udp --dport 30053 -j KUBE-EXT-D
            [3:180] -A KUBE-SEP-A -p udp -m comment --comment "default/dns" -m udp -j DNAT \
            --to-destination [fd00:244:1::2]:5353
            [3:180] -A KUBE-SVL-D -m comment --comment "default/dns -> [fd00:244:1::2]:5353" -j KUBE-SEP-A
            """;
        ServicePortName dns = new ServicePortName(new NamespacedName("default", "dns"), "", Protocol.UDP);
        assertThat(CounterText.connections(Family.IPV6, saved))
                .contains(new ConnectionCount.ToTarget(
                        new ChainKey(Family.IPV6, Table.NAT, "KUBE-SEP-A"),
                        dns,
                        IpPort.parse("[fd00:244:1::2]:5353"),
                        3));
    }

    @Test
    void the_rules_that_lead_to_an_endpoint_name_it_where_it_has_no_comment() {
        String terse = SAVED.lines()
                .map(line ->
                        line.contains("KUBE-SEP-") ? line.replaceAll("-m comment --comment \"[^\"]*\" ", "") : line)
                .collect(Collectors.joining("\n"));
        assertThat(terse).isNotEqualTo(SAVED);
        assertThat(CounterText.connections(Family.IPV4, terse)).isEqualTo(CounterText.connections(Family.IPV4, SAVED));
    }

    @Test
    void the_packets_of_one_rule_are_found_by_its_words() {
        String listed = """
            -N KUBE-FORWARD
            -A KUBE-FORWARD -m conntrack --ctstate INVALID -c 12 720 -j DROP
            -A KUBE-FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -c 99 9000 -j ACCEPT
            """;
        assertThat(CounterText.packets(Foundation.INVALID, listed)).hasValue(12);
        assertThat(CounterText.packets(Foundation.LOCALHOST, listed)).isEmpty();
        assertThat(CounterText.packets("silent", "-A X -m comment --comment silent -c 5 1"))
                .hasValue(5);
    }
}
