package io.fairlead.http;

import static io.fairlead.http.ServiceClient.clusterIps;
import static io.fairlead.http.ServiceClient.nodePort;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Cidr;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Services that become others, on a server with two families (A5, A6, A8, A16).
@Timeout(60)
final class ServiceTypeChangeTest {
    private static TestServer server;
    private static ServiceClient services;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(ApiServerConfig.at(TestServer.ANY_PORT)
                .withServiceCidrs(List.of(Cidr.parse("10.5.0.0/16"), Cidr.parse("fd00:5::/108"))));
        services = new ServiceClient(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void from_cluster_ip_up_to_load_balancer_and_down_again_the_address_stays() throws Exception {
        String address = services.create("tour", "{ports: [{port: 80}]}").text("spec", "clusterIP");
        int port = nodePort(services.patch("tour", "{type: NodePort}"), 0);
        assertThat(port).isPositive();
        var balancer = services.patch("tour", "{type: LoadBalancer, externalTrafficPolicy: Local}");
        assertThat(nodePort(balancer, 0)).isEqualTo(port);
        assertThat(balancer.number("spec", "healthCheckNodePort")).isPositive().isNotEqualTo(port);
        services.patchStatus("tour", "{status: {loadBalancer: {ingress: [{ip: 192.0.2.1}]}}}");

        var back = services.patch("tour", "{type: ClusterIP}");

        assertThat(back.code()).isEqualTo(200);
        assertThat(back.text("spec", "clusterIP")).isEqualTo(address);
        assertThat(nodePort(back, 0)).isZero();
        assertThat(back.body().path("spec").has("healthCheckNodePort")).isFalse();
        assertThat(back.body().path("spec").has("externalTrafficPolicy")).isFalse();
        assertThat(back.body().path("spec").has("allocateLoadBalancerNodePorts"))
                .isFalse();
        assertThat(back.body().path("status").path("loadBalancer").isEmpty()).isTrue();
        assertThat(services.create("heir", "{type: NodePort, ports: [{port: 80, nodePort: " + port + "}]}")
                        .code())
                .as("the node port is free again")
                .isEqualTo(201);
    }

    @Test
    void a_field_that_the_client_also_changes_is_refused_not_dropped() throws Exception {
        services.create("stubborn", "{type: NodePort, ports: [{port: 80}]}");

        var refused = services.patch("stubborn", "{type: ClusterIP, ports: [{port: 80, nodePort: 30077}]}");

        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .contains("spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'");
    }

    @Test
    void a_second_family_comes_and_goes_with_the_policy() throws Exception {
        String first = services.create("dual", "{ports: [{port: 80}]}").text("spec", "clusterIP");

        List<String> both = clusterIps(services.patch("dual", "{ipFamilyPolicy: PreferDualStack}"));
        assertThat(both).hasSize(2).startsWith(first);
        assertThat(services.addresses()).containsAll(both);

        assertThat(clusterIps(services.patch("dual", "{ipFamilyPolicy: SingleStack}")))
                .containsExactly(first);
        assertThat(services.addresses()).contains(first).doesNotContain(both.getLast());
    }

    @Test
    void dropping_the_second_address_alone_is_refused() throws Exception {
        var dual = services.create("firm", "{ipFamilyPolicy: RequireDualStack, ports: [{port: 80}]}");
        var refused = services.patch("firm", "{clusterIPs: ['" + dual.text("spec", "clusterIP") + "']}");
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message()).contains("must be set to 'SingleStack' when releasing the secondary clusterIP");
    }

    @Test
    void the_order_of_the_families_is_the_order_of_the_addresses() throws Exception {
        var service = services.create("six-four", "{ipFamilies: [IPv6, IPv4], ports: [{port: 80}]}");
        assertThat(service.text("spec", "ipFamilyPolicy")).isEqualTo("RequireDualStack");
        assertThat(clusterIps(service).getFirst()).startsWith("fd00:5::");
        assertThat(clusterIps(service).getLast()).startsWith("10.5.");
    }

    @Test
    void a_load_balancer_keeps_the_node_ports_it_lists_when_it_wants_no_more() throws Exception {
        var balancer =
                services.create("keeps", "{type: LoadBalancer, ports: [{name: a, port: 80}, {name: b, port: 81}]}");
        int a = nodePort(balancer, 0);
        int b = nodePort(balancer, 1);

        var kept = services.patch("keeps", "{allocateLoadBalancerNodePorts: false}");
        assertThat(nodePort(kept, 0)).isEqualTo(a);
        assertThat(nodePort(kept, 1)).isEqualTo(b);

        var fewer = services.patch("keeps", "{ports: [{name: a, port: 80, nodePort: " + a + "}, {name: b, port: 81}]}");
        assertThat(nodePort(fewer, 0)).isEqualTo(a);
        assertThat(nodePort(fewer, 1)).isZero();
        assertThat(services.create("takes", "{type: NodePort, ports: [{port: 80, nodePort: " + b + "}]}")
                        .code())
                .isEqualTo(201);
    }

    @Test
    void a_health_check_port_collides_neither_with_others_nor_with_its_own_service() throws Exception {
        String local = "{type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 30040, ports: ";
        assertThat(services.create("checked", local + "[{port: 80}]}").code()).isEqualTo(201);
        assertThat(services.create("checked-too", local + "[{port: 80}]}").message())
                .contains("spec.healthCheckNodePort: Invalid value: 30040: provided port is already allocated");
        assertThat(services.create("own", local.replace("30040", "30041") + "[{port: 80, nodePort: 30041}]}")
                        .message())
                .contains("spec.healthCheckNodePort: Invalid value: 30041: provided port is already allocated");
        assertThat(services.create("own", "{type: NodePort, ports: [{port: 80, nodePort: 30041}]}")
                        .code())
                .as("nothing was taken by the refused one")
                .isEqualTo(201);
    }

    @Test
    void affinity_can_be_turned_off() throws Exception {
        services.create("sticky", "{sessionAffinity: ClientIP, ports: [{port: 80}]}");
        var off = services.patch("sticky", "{sessionAffinity: None}");
        assertThat(off.code()).isEqualTo(200);
        assertThat(off.body().path("spec").has("sessionAffinityConfig")).isFalse();
    }
}
