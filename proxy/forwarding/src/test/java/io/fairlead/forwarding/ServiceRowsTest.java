package io.fairlead.forwarding;

import static io.fairlead.forwarding.TestObjects.ready;
import static io.fairlead.forwarding.TestObjects.service;
import static io.fairlead.forwarding.TestObjects.slice;
import static io.fairlead.forwarding.TestObjects.snapshot;
import static io.fairlead.forwarding.TestObjects.terminating;
import static io.fairlead.forwarding.TestObjects.unready;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Ip;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Service;
import io.fairlead.forwarding.TestObjects.Form;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ServiceRowsTest {
    private static final NodeFacts NODE_A =
            NodeFacts.of("node-a", List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/32")));
    private static final Service WEB = service("web", "{clusterIP: 10.96.0.10, ports: [{port: 80}]}");

    @Test
    void a_cluster_ip_leads_to_every_ready_endpoint() {
        assertThat(table(WEB, slice("one", ready("10.244.2.7"), ready("10.244.1.5"))))
                .isEqualTo("""
                    10.96.0.10:80/tcp  default/web  masquerade=off-cluster
                        10.244.1.5:8080
                        10.244.2.7:8080
                    """);
    }

    @Test
    void a_service_that_a_server_of_the_node_answers_leads_to_the_other_nodes() {
        NodeFacts answering =
                NODE_A.withAddresses(List.of(Ip.parse("192.0.2.1"))).withAnswered(Set.of(WEB.key()));
        String slices = """
            10.96.0.10:80/tcp  default/web  masquerade=off-cluster
                192.0.2.%d:8080
            """;
        EndpointSlice both = slice("one", ready("192.0.2.1"), ready("192.0.2.2"));
        assertThat(ForwardingTable.of(snapshot(WEB, both), answering).text()).isEqualTo(slices.formatted(2));
        EndpointSlice own = slice("one", ready("192.0.2.1"), unready("192.0.2.2"));
        assertThat(ForwardingTable.of(snapshot(WEB, own), answering).text())
                .as("it alone is ready")
                .isEqualTo(slices.formatted(1));
    }

    @Test
    void a_node_port_leads_to_the_same_endpoints_and_always_masquerades() {
        Service service = service(
                "web", "{type: NodePort, clusterIP: 10.96.0.10, ports: [{name: http, port: 80, nodePort: 30080}]}");
        assertThat(table(
                        service,
                        slice("one", Form.of("web", "IPv4", "[{name: http, port: 8080}]"), ready("10.244.1.5"))))
                .isEqualTo("""
                    10.96.0.10:80/tcp  default/web:http  masquerade=off-cluster
                        10.244.1.5:8080
                    node:30080/tcp  default/web:http  masquerade=always
                        10.244.1.5:8080
                    """);
    }

    @Test
    void a_service_without_endpoints_rejects_at_every_door() {
        Service service =
                service("web", "{type: NodePort, clusterIP: 10.96.0.10, ports: [{port: 80, nodePort: 30080}]}");
        assertThat(table(service)).isEqualTo("""
            10.96.0.10:80/tcp  default/web  masquerade=off-cluster  reject
            node:30080/tcp  default/web  masquerade=always  reject
            """);
    }

    @Test
    void an_endpoint_that_is_not_ready_gets_nothing() {
        assertThat(table(WEB, slice("one", ready("10.244.1.5"), unready("10.244.1.6"))))
                .isEqualTo("""
                    10.96.0.10:80/tcp  default/web  masquerade=off-cluster
                        10.244.1.5:8080
                    """);
        assertThat(table(WEB, slice("one", unready("10.244.1.6")))).endsWith("reject\n");
    }

    @Test
    void a_terminating_endpoint_gets_nothing_while_another_is_ready() {
        assertThat(table(WEB, slice("one", terminating("10.244.1.4"), ready("10.244.1.5"))))
                .isEqualTo("""
                    10.96.0.10:80/tcp  default/web  masquerade=off-cluster
                        10.244.1.5:8080
                    """);
    }

    @Test
    void terminating_endpoints_that_serve_are_used_when_none_is_ready() {
        String gone = "{addresses: [10.244.1.6], conditions: {ready: false, serving: false, terminating: true}}";
        assertThat(table(WEB, slice("one", terminating("10.244.1.4"), unready("10.244.1.5"), gone)))
                .isEqualTo("""
                    10.96.0.10:80/tcp  default/web  masquerade=off-cluster
                        10.244.1.4:8080
                    """);
    }

    @Test
    void an_address_in_two_slices_is_one_target() {
        assertThat(table(WEB, slice("one", ready("10.244.1.5")), slice("two", ready("10.244.1.5"))))
                .isEqualTo("""
                    10.96.0.10:80/tcp  default/web  masquerade=off-cluster
                        10.244.1.5:8080
                    """);
    }

    @Test
    void of_two_slices_with_one_address_the_living_one_counts() {
        assertThat(table(WEB, slice("one", terminating("10.244.1.5")), slice("two", ready("10.244.1.5"))))
                .contains("10.244.1.5:8080");
        assertThat(table(WEB, slice("one", terminating("10.244.1.5")), slice("two", unready("10.244.1.5"))))
                .endsWith("reject\n");
        assertThat(table(WEB, slice("one", unready("10.244.1.5")), slice("two", terminating("10.244.1.5"))))
                .endsWith("reject\n");
    }

    @Test
    void a_target_on_this_node_is_local() {
        assertThat(table(WEB, slice("one", "{addresses: [10.244.1.5], nodeName: node-a}", ready("10.244.2.5"))))
                .isEqualTo("""
                    10.96.0.10:80/tcp  default/web  masquerade=off-cluster
                        10.244.1.5:8080 local
                        10.244.2.5:8080
                    """);
    }

    @Test
    void only_the_first_address_of_an_endpoint_counts_and_one_without_address_not_at_all() {
        assertThat(table(WEB, slice("one", "{addresses: [10.244.1.5, 10.244.1.6]}", "{addresses: []}")))
                .isEqualTo("""
                    10.96.0.10:80/tcp  default/web  masquerade=off-cluster
                        10.244.1.5:8080 unplaced
                    """);
    }

    @Test
    void a_port_finds_its_number_by_name_and_protocol() {
        Service dns = service("web", """
            {clusterIP: 10.96.0.10, ports: [
              {name: dns, port: 53, protocol: UDP}, {name: dns-tcp, port: 53}, {name: metrics, port: 9153}]}\
            """);
        String ports = "[{name: dns, port: 5353, protocol: UDP}, {name: dns-tcp, port: 5354},"
                + " {name: metrics, protocol: UDP, port: 9153}]";
        assertThat(table(dns, slice("one", Form.of("web", "IPv4", ports), ready("10.244.1.5"))))
                .isEqualTo("""
                    10.96.0.10:53/udp  default/web:dns  masquerade=off-cluster
                        10.244.1.5:5353
                    10.96.0.10:53/tcp  default/web:dns-tcp  masquerade=off-cluster
                        10.244.1.5:5354
                    10.96.0.10:9153/tcp  default/web:metrics  masquerade=off-cluster  reject
                    """);
    }

    @Test
    void a_slice_port_without_a_number_leads_nowhere() {
        assertThat(table(WEB, slice("one", Form.of("web", "IPv4", "[{name: \"\"}]"), ready("10.244.1.5"))))
                .endsWith("reject\n");
    }

    @Test
    void pods_with_different_numbers_behind_one_name_are_targets_of_one_row() {
        assertThat(table(
                        WEB,
                        slice("one", Form.of("web", "IPv4", "[{port: 8080}]"), ready("10.244.1.5")),
                        slice("two", Form.of("web", "IPv4", "[{port: 9090}]"), ready("10.244.1.6"))))
                .isEqualTo("""
                    10.96.0.10:80/tcp  default/web  masquerade=off-cluster
                        10.244.1.5:8080
                        10.244.1.6:9090
                    """);
    }

    @Test
    void each_family_has_its_own_rows_and_targets() {
        Service dual = service("web", """
            {type: NodePort, clusterIP: 10.96.0.10, clusterIPs: [10.96.0.10, "fd00:96::10"],
             ports: [{port: 80, nodePort: 30080}]}\
            """);
        assertThat(table(
                        dual,
                        slice("four", ready("10.244.1.5")),
                        slice("six", Form.of("web", "IPv6", "[{port: 8080}]"), ready("fd00:244:1::5"))))
                .isEqualTo("""
                    10.96.0.10:80/tcp  default/web  masquerade=off-cluster
                        10.244.1.5:8080
                    node:30080/tcp  default/web  masquerade=always
                        10.244.1.5:8080
                    [fd00:96::10]:80/tcp  default/web  masquerade=off-cluster
                        [fd00:244:1::5]:8080
                    node6:30080/tcp  default/web  masquerade=always
                        [fd00:244:1::5]:8080
                    """);
    }

    @Test
    void an_address_of_another_family_than_its_slice_is_ignored() {
        assertThat(table(WEB, slice("one", ready("fd00:244:1::5")))).endsWith("reject\n");
    }

    @Test
    void slices_of_names_are_ignored() {
        assertThat(table(WEB, slice("one", Form.of("web", "FQDN", "[{port: 8080}]"), ready("10.244.1.5"))))
                .endsWith("reject\n");
    }

    @Test
    void slices_labelled_headless_are_ignored() {
        String labels = "{kubernetes.io/service-name: web, service.kubernetes.io/headless: \"\"}";
        assertThat(table(WEB, slice("one", new Form(labels, "IPv4", "[{port: 8080}]"), ready("10.244.1.5"))))
                .endsWith("reject\n");
    }

    @Test
    void services_without_an_address_of_their_own_give_no_rows() {
        assertThat(table(service("web", "{clusterIP: None, ports: [{port: 80}]}")))
                .isEmpty();
        assertThat(table(service("web", "{clusterIP: \"\", ports: [{port: 80}]}")))
                .isEmpty();
        assertThat(table(service("web", "{type: ExternalName, externalName: example.org}")))
                .isEmpty();
    }

    @Test
    void a_service_that_another_proxy_leads_gives_no_rows() {
        String labels = "{service.kubernetes.io/service-proxy-name: \"\"}";
        assertThat(table(service("web", labels, "{clusterIP: 10.96.0.10, ports: [{port: 80}]}")))
                .isEmpty();
    }

    private static String table(KubernetesObject... objects) {
        return ForwardingTable.of(snapshot(objects), NODE_A).text();
    }
}
