package io.fairlead.forwarding;

import static io.fairlead.forwarding.TestObjects.NODE_A;
import static io.fairlead.forwarding.TestObjects.ready;
import static io.fairlead.forwarding.TestObjects.rows;
import static io.fairlead.forwarding.TestObjects.service;
import static io.fairlead.forwarding.TestObjects.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

/// External IPs and the addresses of load balancers.
final class ExternalAddressTest {
    @Test
    void an_external_ip_leads_to_every_endpoint_and_masquerades() {
        Service service = service("web", "{clusterIP: 10.96.0.10, externalIPs: [192.0.2.7], ports: [{port: 80}]}");
        assertThat(rows(service, slice("one", ready("10.244.2.5")))).endsWith("""
            external:192.0.2.7:80/tcp  default/web  masquerade=always
                10.244.2.5:8080
            """);
    }

    @Test
    void an_address_of_a_load_balancer_is_taken_up_on_the_node() {
        assertThat(rows(balanced("", "{ip: 192.0.2.9}"), slice("one", ready("10.244.2.5"))))
                .endsWith("""
                    loadbalancer:192.0.2.9:80/tcp  default/web  masquerade=always
                        10.244.2.5:8080
                    """);
        assertThat(rows(balanced("", "{ip: 192.0.2.9, ipMode: VIP}"))).contains("loadbalancer:192.0.2.9");
    }

    @Test
    void a_load_balancer_that_has_to_be_asked_itself_gives_no_row() {
        assertThat(rows(balanced("", "{ip: 192.0.2.9, ipMode: Proxy}, {hostname: lb.example.com}")))
                .doesNotContain("loadbalancer");
    }

    @Test
    void an_address_of_a_family_that_the_service_has_not_gives_no_row() {
        Service service = service(
                "web", "{clusterIP: 10.96.0.10, externalIPs: [192.0.2.7, \"2001:db8::7\"], ports: [{port: 80}]}");
        assertThat(rows(service)).contains("192.0.2.7").doesNotContain("2001");
    }

    @Test
    void an_external_ip_that_is_a_load_balancers_too_stands_once_with_its_ranges() {
        Service service =
                balanced("externalIPs: [192.0.2.9], loadBalancerSourceRanges: [203.0.113.0/24],", "{ip: 192.0.2.9}");
        assertThat(rows(service))
                .contains("loadbalancer:192.0.2.9:80/tcp  default/web  masquerade=always  sources=203.0.113.0/24")
                .doesNotContain("external:");
    }

    @Test
    void of_two_services_of_one_age_that_want_one_place_the_first_by_name_has_it_as_long_as_it_does() {
        Service second = service("web", "{clusterIP: 10.96.0.10, externalIPs: [192.0.2.7], ports: [{port: 80}]}");
        Service first = service(
                "shop",
                "{clusterIP: 10.96.0.11, externalIPs: [192.0.2.7], ports: [{name: a, port: 80}, {name: b, port: 81}]}");
        Service elsewhere = service("shop", "{clusterIP: 10.96.0.11, externalIPs: [192.0.2.8], ports: [{port: 80}]}");
        Snapshot one = Snapshot.EMPTY.with(second);
        ForwardingTable table = ForwardingTable.of(one, NODE_A);
        assertThat(table.text()).contains("external:192.0.2.7:80/tcp  default/web");

        table = table.at(one.with(first));
        assertThat(table.text())
                .contains("external:192.0.2.7:80/tcp  default/shop:a", "external:192.0.2.7:81/tcp  default/shop:b")
                .contains("10.96.0.10:80/tcp  default/web")
                .doesNotContain("external:192.0.2.7:80/tcp  default/web");

        table = table.at(one.with(elsewhere));
        assertThat(table.text())
                .contains("external:192.0.2.7:80/tcp  default/web", "external:192.0.2.8:80/tcp  default/shop");
    }

    @Test
    void of_two_services_that_want_one_place_the_older_has_it_whatever_their_names() {
        Service older = aged("web", "2026-01-01T00:00:00Z");
        Service younger = aged("a-thief", "2026-06-01T00:00:00Z");
        Snapshot both = Snapshot.EMPTY.with(older).with(younger);
        assertThat(ForwardingTable.of(both, NODE_A).text())
                .contains("external:192.0.2.7:80/tcp  default/web")
                .doesNotContain("external:192.0.2.7:80/tcp  default/a-thief");
        ForwardingTable steps =
                ForwardingTable.of(Snapshot.EMPTY.with(younger), NODE_A).at(both);
        assertThat(steps.text()).isEqualTo(ForwardingTable.of(both, NODE_A).text());

        Snapshot again = both.with(aged("web", "2026-07-01T00:00:00Z")); // deleted and made anew
        assertThat(steps.at(again).text())
                .contains("external:192.0.2.7:80/tcp  default/a-thief")
                .isEqualTo(ForwardingTable.of(again, NODE_A).text());
    }

    private static Service aged(String name, String created) {
        return Service.of(
                io.fairlead.yaml.Yaml.parseAll("""
                    metadata: {namespace: default, name: %s, creationTimestamp: "%s"}
                    spec: {clusterIP: 10.96.0.10, externalIPs: [192.0.2.7], ports: [{port: 80}]}
                    """.formatted(name, created)).getFirst());
    }

    @Test
    void an_address_of_a_load_balancer_and_an_external_one_are_one_place() {
        Service external = service("shop", "{clusterIP: 10.96.0.11, externalIPs: [192.0.2.9], ports: [{port: 80}]}");
        ForwardingTable table = ForwardingTable.of(
                Snapshot.EMPTY.with(balanced("", "{ip: 192.0.2.9}")).with(external), NODE_A);
        assertThat(table.text())
                .contains("external:192.0.2.9:80/tcp  default/shop")
                .doesNotContain("loadbalancer:");
    }

    @Test
    void source_ranges_hold_for_load_balancer_addresses_only() {
        Service service = balanced(
                "externalIPs: [192.0.2.7], loadBalancerSourceRanges: [203.0.113.0/24, 198.51.100.7/32],",
                "{ip: 192.0.2.9}");
        assertThat(rows(service).lines().filter(line -> line.contains("sources=")))
                .containsExactly("loadbalancer:192.0.2.9:80/tcp  default/web  masquerade=always "
                        + " sources=198.51.100.7/32,203.0.113.0/24  reject");
    }

    @Test
    void a_range_of_everything_is_no_filter() {
        assertThat(rows(balanced("loadBalancerSourceRanges: [203.0.113.0/24, 0.0.0.0/0],", "{ip: 192.0.2.9}")))
                .doesNotContain("sources=");
    }

    @Test
    void ranges_of_the_other_family_alone_are_no_filter() {
        assertThat(rows(balanced("loadBalancerSourceRanges: [\"2001:db8::/32\"],", "{ip: 192.0.2.9}")))
                .doesNotContain("sources=");
    }

    @Test
    void a_range_inside_another_says_nothing_new() {
        assertThat(rows(balanced(
                        "loadBalancerSourceRanges: [10.1.0.0/16, 10.0.0.0/8, 10.0.0.0/8],", "{ip: 192.0.2.9}")))
                .contains("sources=10.0.0.0/8  reject");
    }

    @Test
    void where_the_node_is_in_a_range_the_address_itself_may_be_the_source() {
        NodeFacts node = NODE_A.withAddresses(List.of(Ip.parse("203.0.113.11")));
        assertThat(rows(node, balanced("loadBalancerSourceRanges: [203.0.113.0/24],", "{ip: 192.0.2.9}")))
                .contains("sources=192.0.2.9/32,203.0.113.0/24");
    }

    @Test
    void a_cluster_ip_is_masqueraded_by_what_is_known_of_pods() {
        Service service = service("web", "{clusterIP: 10.96.0.10, ports: [{port: 80}]}");
        assertThat(rows(NODE_A, service)).contains("masquerade=off-cluster");
        assertThat(rows(NODE_A.withMasqueradeAll(true), service)).contains("masquerade=always");
        assertThat(rows(NODE_A.withPods(new LocalPods.Unknown()), service)).contains("masquerade=never");
        assertThat(rows(NODE_A.withPods(new LocalPods.Bridge("cbr0")), service)).contains("masquerade=off-cluster");
    }

    private static Service balanced(String spec, String ingress) {
        return Service.of(
                io.fairlead.yaml.Yaml.parseAll("""
                    metadata: {namespace: default, name: web}
                    spec: {type: LoadBalancer, clusterIP: 10.96.0.10, %s ports: [{port: 80}]}
                    status: {loadBalancer: {ingress: [%s]}}
                    """.formatted(spec, ingress)).getFirst());
    }
}
