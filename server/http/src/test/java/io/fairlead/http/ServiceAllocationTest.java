package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ServiceAllocationTest {
    private static final String SERVICES = "/api/v1/namespaces/default/services";

    @AutoClose
    private static final TestServer server = TestServer.running();

    private static TestServer.Reply create(String name, String spec) throws Exception {
        return server.post(SERVICES, Bodies.service(name, spec));
    }

    private static int nodePort(TestServer.Reply service, int port) {
        return Json.number(service.body().path("spec").path("ports").path(port), 0, "nodePort");
    }

    @Test
    void the_kubernetes_service_has_the_first_address() throws Exception {
        var kubernetes = server.get(SERVICES + "/kubernetes");

        assertThat(kubernetes.text("spec", "clusterIP")).isEqualTo("10.96.0.1");
        assertThat(Json.texts(kubernetes.body(), "spec", "clusterIPs")).containsExactly("10.96.0.1");
    }

    @Test
    void the_answer_to_a_create_shows_address_and_node_port_and_all_defaults() throws Exception {
        var created = create("full", "\"type\":\"NodePort\",\"ports\":[{\"port\":80}]");

        Ip ip = Ip.parse(created.text("spec", "clusterIP"));
        assertThat(Cidr.parse("10.96.0.0/16").contains(ip)).isTrue();
        // The lower band of addresses and of ports is left to those who ask for a certain one.
        assertThat(ip).isGreaterThan(Ip.parse("10.96.1.0"));
        assertThat(nodePort(created, 0)).isBetween(30086, 32767);
        assertThat(created.body()
                        .path("spec")
                        .path("ports")
                        .path(0)
                        .path("targetPort")
                        .intValue())
                .isEqualTo(80);
        assertThat(created.body()
                        .path("spec")
                        .path("ports")
                        .path(0)
                        .path("protocol")
                        .stringValue())
                .isEqualTo("TCP");
        assertThat(created.text("spec", "sessionAffinity")).isEqualTo("None");
        assertThat(created.text("spec", "internalTrafficPolicy")).isEqualTo("Cluster");
        assertThat(created.text("spec", "externalTrafficPolicy")).isEqualTo("Cluster");
        assertThat(created.text("spec", "ipFamilyPolicy")).isEqualTo("SingleStack");
        assertThat(Json.texts(created.body(), "spec", "ipFamilies")).containsExactly("IPv4");
    }

    @Test
    void an_address_can_be_asked_for_once() throws Exception {
        var first = create("asked", "\"clusterIP\":\"10.96.0.77\",\"ports\":[{\"port\":80}]");
        var second = create("asked-too", "\"clusterIP\":\"10.96.0.77\",\"ports\":[{\"port\":80}]");

        assertThat(first.text("spec", "clusterIP")).isEqualTo("10.96.0.77");
        assertThat(second.code()).isEqualTo(422);
        assertThat(second.message()).contains("spec.clusterIPs").contains("provided IP is already allocated");
        assertThat(server.get(SERVICES + "/asked-too").code()).isEqualTo(404);
    }

    @Test
    void a_node_port_can_be_asked_for_once() throws Exception {
        var first = create("port", "\"type\":\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":30010}]");
        var second = create("port-too", "\"type\":\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":30010}]");

        assertThat(nodePort(first, 0)).isEqualTo(30010);
        assertThat(second.code()).isEqualTo(422);
        assertThat(second.message())
                .contains("spec.ports[0].nodePort: Invalid value: 30010: provided port is already allocated");
    }

    @Test
    void one_service_may_have_a_node_port_for_tcp_and_udp() throws Exception {
        var explicit = create(
                "both",
                "\"type\":\"NodePort\",\"ports\":[{\"name\":\"t\",\"port\":53,\"nodePort\":30053},"
                        + "{\"name\":\"u\",\"port\":53,\"protocol\":\"UDP\",\"nodePort\":30053}]");
        var given = create(
                "both-given",
                "\"type\":\"NodePort\",\"ports\":[{\"name\":\"t\",\"port\":53},"
                        + "{\"name\":\"u\",\"port\":53,\"protocol\":\"UDP\"},{\"name\":\"v\",\"port\":54}]");

        assertThat(explicit.code()).isEqualTo(201);
        assertThat(nodePort(given, 0)).isEqualTo(nodePort(given, 1)).isNotEqualTo(nodePort(given, 2));
    }

    @Test
    void what_a_refused_create_had_taken_is_free_again() throws Exception {
        var refused = create(
                "half",
                "\"type\":\"NodePort\",\"clusterIP\":\"10.96.0.99\",\"ports\":"
                        + "[{\"name\":\"a\",\"port\":80,\"nodePort\":30020},{\"name\":\"b\",\"port\":81,\"nodePort\":29999}]");
        assertThat(refused.message())
                .contains("spec.ports[1].nodePort")
                .contains("provided port is not in the valid range. The range of valid ports is 30000-32767");

        var created = create(
                "whole",
                "\"type\":\"NodePort\",\"clusterIP\":\"10.96.0.99\",\"ports\":[{\"port\":80,\"nodePort\":30020}]");
        assertThat(created.code()).isEqualTo(201);
    }

    @Test
    void what_a_service_had_is_free_once_it_is_deleted() throws Exception {
        String spec = "\"type\":\"NodePort\",\"clusterIP\":\"10.96.0.55\",\"ports\":[{\"port\":80,\"nodePort\":30055}]";
        create("first-owner", spec);

        server.delete(SERVICES + "/first-owner");

        assertThat(create("next-owner", spec).code()).isEqualTo(201);
    }

    @Test
    void a_change_of_type_gives_the_node_port_back_and_keeps_the_address() throws Exception {
        var before = create("turned", "\"type\":\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":30033}]");

        var after = server.merge(SERVICES + "/turned", "{\"spec\":{\"type\":\"ClusterIP\"}}");

        assertThat(after.code()).isEqualTo(200);
        assertThat(nodePort(after, 0)).isZero();
        assertThat(after.text("spec", "externalTrafficPolicy")).isEmpty();
        assertThat(after.text("spec", "clusterIP")).isEqualTo(before.text("spec", "clusterIP"));
        assertThat(create("taker", "\"type\":\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":30033}]")
                        .code())
                .isEqualTo(201);
    }

    @Test
    void an_update_that_leaves_out_what_was_allocated_keeps_it() throws Exception {
        var before = create(
                "kept", "\"type\":\"NodePort\",\"ports\":[{\"name\":\"a\",\"port\":80},{\"name\":\"b\",\"port\":81}]");

        var after = server.put(
                SERVICES + "/kept",
                Bodies.service(
                        "kept",
                        "\"type\":\"NodePort\",\"ports\":[{\"name\":\"b\",\"port\":8081},{\"name\":\"c\",\"port\":82}]"));

        assertThat(after.text("spec", "clusterIP")).isEqualTo(before.text("spec", "clusterIP"));
        assertThat(nodePort(after, 0)).isEqualTo(nodePort(before, 1));
        assertThat(nodePort(after, 1)).isPositive().isNotEqualTo(nodePort(before, 0));
        // Port `a` is gone, so its node port is free.
        assertThat(create(
                                "heir",
                                "\"type\":\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":%d}]"
                                        .formatted(nodePort(before, 0)))
                        .code())
                .isEqualTo(201);
    }

    @Test
    void the_first_address_never_changes() throws Exception {
        create("fixed", "\"ports\":[{\"port\":80}]");

        var moved = server.merge(SERVICES + "/fixed", "{\"spec\":{\"clusterIP\":\"10.96.0.88\",\"clusterIPs\":null}}");

        assertThat(moved.code()).isEqualTo(422);
        assertThat(moved.message()).contains("spec.clusterIPs[0]").contains("may not change once set");
    }

    @Test
    void an_external_name_has_no_address_and_gets_one_when_it_becomes_a_real_service() throws Exception {
        var external = create("ext", "\"type\":\"ExternalName\",\"externalName\":\"example.com\"");
        assertThat(external.text("spec", "clusterIP")).isEmpty();

        var real = server.merge(
                SERVICES + "/ext",
                "{\"spec\":{\"type\":\"ClusterIP\",\"externalName\":null,\"ports\":[{\"port\":80}]}}");
        String address = real.text("spec", "clusterIP");
        assertThat(address).startsWith("10.96.");

        var back = server.merge(SERVICES + "/ext", "{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"a.b\"}}");
        assertThat(back.code()).isEqualTo(200);
        assertThat(back.text("spec", "clusterIP")).isEmpty();
        assertThat(create("ext-heir", "\"clusterIP\":\"%s\",\"ports\":[{\"port\":80}]".formatted(address))
                        .code())
                .isEqualTo(201);
    }

    @Test
    void a_headless_service_takes_no_address() throws Exception {
        var headless = create("headless", "\"clusterIP\":\"None\",\"selector\":{\"a\":\"b\"}");

        assertThat(headless.code()).isEqualTo(201);
        assertThat(Json.texts(headless.body(), "spec", "clusterIPs")).containsExactly("None");
    }

    @Test
    void a_local_load_balancer_gets_a_port_for_its_health_check() throws Exception {
        var balancer =
                create("lb", "\"type\":\"LoadBalancer\",\"externalTrafficPolicy\":\"Local\",\"ports\":[{\"port\":80}]");
        int port = balancer.number("spec", "healthCheckNodePort");
        assertThat(port).isBetween(30000, 32767).isNotEqualTo(nodePort(balancer, 0));

        var cluster = server.merge(SERVICES + "/lb", "{\"spec\":{\"externalTrafficPolicy\":\"Cluster\"}}");
        assertThat(cluster.code()).isEqualTo(200);
        assertThat(cluster.number("spec", "healthCheckNodePort")).isEqualTo(-1);
    }

    @Test
    void a_load_balancer_can_do_without_node_ports() throws Exception {
        var balancer = create(
                "portless",
                "\"type\":\"LoadBalancer\",\"allocateLoadBalancerNodePorts\":false,\"ports\":[{\"port\":80}]");
        assertThat(nodePort(balancer, 0)).isZero();

        var flipped = server.merge(SERVICES + "/portless", "{\"spec\":{\"allocateLoadBalancerNodePorts\":true}}");
        assertThat(nodePort(flipped, 0)).isPositive();
    }

    @Test
    void mixed_case_names_are_taken_with_a_warning_but_not_twice() throws Exception {
        var first = create("HelloService", "\"ports\":[{\"name\":\"HelloPort\",\"port\":80}]");
        var second = create("helloservice", "\"ports\":[{\"port\":80}]");

        assertThat(first.code()).isEqualTo(201);
        assertThat(first.warnings()).hasSize(2).allMatch(w -> w.startsWith("299 - \""));
        assertThat(first.warnings().getFirst()).contains("HelloService").contains("plain Kubernetes would refuse");
        assertThat(second.code()).isEqualTo(422);
        assertThat(second.message()).contains("metadata.name").contains("only in case");
        assertThat(server.get(SERVICES + "/HelloService").code()).isEqualTo(200);
        assertThat(server.get(SERVICES + "/helloservice").code()).isEqualTo(404);
        assertThat(server.delete(SERVICES + "/HelloService").code()).isEqualTo(200);
        assertThat(server.get(SERVICES + "/HelloService").code()).isEqualTo(404);
    }

    @Test
    void a_full_range_says_so_and_takes_the_next_address_that_comes_free() throws Exception {
        ApiServerConfig small =
                ApiServerConfig.at(TestServer.ANY_PORT).withServiceCidrs(List.of(Cidr.parse("10.5.0.0/28")));
        try (TestServer tiny = TestServer.start(small)) {
            Set<String> addresses = new HashSet<>();
            for (int i = 0; i < 13; i++) {
                var created = tiny.post(SERVICES, Bodies.service("s" + i, "\"ports\":[{\"port\":80}]"));
                addresses.add(created.text("spec", "clusterIP"));
            }
            assertThat(addresses).hasSize(13).doesNotContain("10.5.0.0", "10.5.0.1", "10.5.0.15");
            var full = tiny.post(SERVICES, Bodies.service("late", "\"ports\":[{\"port\":80}]"));
            assertThat(full.code()).isEqualTo(422);
            assertThat(full.message()).contains("spec.clusterIPs").contains("range is full: [10.5.0.0/28]");

            String freed = tiny.delete(SERVICES + "/s5").text("spec", "clusterIP");
            assertThat(tiny.post(SERVICES, Bodies.service("late", "\"ports\":[{\"port\":80}]"))
                            .text("spec", "clusterIP"))
                    .isEqualTo(freed);
        }
    }

    @Test
    void a_dual_stack_cluster_gives_two_addresses_to_those_who_want_them() throws Exception {
        ApiServerConfig dual = ApiServerConfig.at(TestServer.ANY_PORT)
                .withServiceCidrs(List.of(Cidr.parse("10.5.0.0/16"), Cidr.parse("fd00:5::/108")));
        try (TestServer both = TestServer.start(dual)) {
            var single = both.post(SERVICES, Bodies.service("single", "\"ports\":[{\"port\":80}]"));
            var prefer = both.post(
                    SERVICES,
                    Bodies.service("prefer", "\"ipFamilyPolicy\":\"PreferDualStack\",\"ports\":[{\"port\":80}]"));
            var sixth =
                    both.post(SERVICES, Bodies.service("six", "\"ipFamilies\":[\"IPv6\"],\"ports\":[{\"port\":80}]"));

            assertThat(Json.texts(single.body(), "spec", "clusterIPs")).hasSize(1);
            assertThat(Json.texts(prefer.body(), "spec", "ipFamilies")).containsExactly("IPv4", "IPv6");
            assertThat(Json.texts(prefer.body(), "spec", "clusterIPs").getLast())
                    .startsWith("fd00:5::");
            assertThat(sixth.text("spec", "clusterIP")).startsWith("fd00:5::");

            var dropped = both.merge(SERVICES + "/prefer", "{\"spec\":{\"ipFamilyPolicy\":\"SingleStack\"}}");
            assertThat(Json.texts(dropped.body(), "spec", "clusterIPs"))
                    .containsExactly(prefer.text("spec", "clusterIP"));
        }
    }

    @Test
    void a_single_stack_cluster_cannot_give_two() throws Exception {
        var refused = create("dual", "\"ipFamilyPolicy\":\"RequireDualStack\",\"ports\":[{\"port\":80}]");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("spec.ipFamilyPolicy").contains("not configured for dual-stack");
    }
}
