package io.fairlead.forwarding;

import static io.fairlead.forwarding.TestObjects.ready;
import static io.fairlead.forwarding.TestObjects.rows;
import static io.fairlead.forwarding.TestObjects.service;
import static io.fairlead.forwarding.TestObjects.slice;
import static io.fairlead.forwarding.TestObjects.terminating;
import static io.fairlead.forwarding.TestObjects.unready;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Service;
import org.junit.jupiter.api.Test;

/// Which endpoints a connection gets under each traffic policy; we stand on node-a, [TestObjects] makes pods of node-b.
final class TrafficPolicyTest {
    private static final Service INTERNAL_LOCAL =
            service("web", "{clusterIP: 10.96.0.10, internalTrafficPolicy: Local, ports: [{port: 80}]}");
    private static final Service EXTERNAL_LOCAL = service(
            "web",
            "{type: NodePort, clusterIP: 10.96.0.10, externalTrafficPolicy: Local, ports: [{port: 80, nodePort: 30080}]}");

    @Test
    void internal_local_uses_the_pods_of_this_node_only() {
        assertThat(rows(INTERNAL_LOCAL, slice("one", local("10.244.1.5"), ready("10.244.2.5"))))
                .isEqualTo("""
                10.96.0.10:80/tcp  default/web  masquerade=off-cluster
                    10.244.1.5:8080 local
                """);
    }

    @Test
    void internal_local_without_a_pod_here_drops_while_there_are_others() {
        assertThat(rows(INTERNAL_LOCAL, slice("one", ready("10.244.2.5"))))
                .isEqualTo("10.96.0.10:80/tcp  default/web  masquerade=off-cluster  drop\n");
    }

    @Test
    void internal_local_without_any_endpoint_rejects() {
        assertThat(rows(INTERNAL_LOCAL, slice("one", unready("10.244.2.5"))))
                .isEqualTo("10.96.0.10:80/tcp  default/web  masquerade=off-cluster  reject\n");
    }

    @Test
    void internal_local_does_not_bind_a_node_port() {
        Service service = service(
                "web",
                "{type: NodePort, clusterIP: 10.96.0.10, internalTrafficPolicy: Local, ports: [{port: 80, nodePort: 30080}]}");
        assertThat(rows(service, slice("one", ready("10.244.2.5")))).isEqualTo("""
                10.96.0.10:80/tcp  default/web  masquerade=off-cluster  drop
                node:30080/tcp  default/web  masquerade=always
                    10.244.2.5:8080
                """);
    }

    @Test
    void external_local_keeps_the_source_and_stays_here_but_for_those_inside() {
        assertThat(rows(EXTERNAL_LOCAL, slice("one", local("10.244.1.5"), ready("10.244.2.5"))))
                .isEqualTo("""
                10.96.0.10:80/tcp  default/web  masquerade=off-cluster
                    10.244.1.5:8080 local
                    10.244.2.5:8080
                node:30080/tcp  default/web  masquerade=from-node
                  outside
                    10.244.1.5:8080 local
                  inside
                    10.244.1.5:8080 local
                    10.244.2.5:8080
                """);
    }

    @Test
    void external_local_without_a_pod_here_drops_what_comes_from_outside() {
        assertThat(rows(EXTERNAL_LOCAL, slice("one", ready("10.244.2.5")))).endsWith("""
                node:30080/tcp  default/web  masquerade=from-node
                  outside  drop
                  inside
                    10.244.2.5:8080
                """);
    }

    @Test
    void external_local_without_any_endpoint_rejects() {
        assertThat(rows(EXTERNAL_LOCAL)).endsWith("node:30080/tcp  default/web  masquerade=from-node  reject\n");
    }

    @Test
    void where_all_pods_are_here_inside_and_outside_are_the_same() {
        assertThat(rows(EXTERNAL_LOCAL, slice("one", local("10.244.1.5")))).endsWith("""
                node:30080/tcp  default/web  masquerade=from-node
                    10.244.1.5:8080 local
                """);
    }

    @Test
    void the_local_set_falls_back_to_pods_that_go_down_though_others_are_ready_elsewhere() {
        String going = "{addresses: [10.244.1.5], nodeName: node-a, conditions: {ready: false, terminating: true}}";
        assertThat(rows(EXTERNAL_LOCAL, slice("one", going, ready("10.244.2.5"))))
                .isEqualTo("""
                10.96.0.10:80/tcp  default/web  masquerade=off-cluster
                    10.244.2.5:8080
                node:30080/tcp  default/web  masquerade=from-node
                  outside
                    10.244.1.5:8080 local
                  inside
                    10.244.2.5:8080
                """);
    }

    @Test
    void the_local_set_prefers_ready_pods_to_those_that_go_down() {
        String going = "{addresses: [10.244.1.4], nodeName: node-a, conditions: {ready: false, terminating: true}}";
        assertThat(rows(INTERNAL_LOCAL, slice("one", going, local("10.244.1.5"))))
                .doesNotContain("10.244.1.4");
    }

    @Test
    void a_terminating_pod_elsewhere_is_no_reason_to_reject() {
        assertThat(rows(INTERNAL_LOCAL, slice("one", terminating("10.244.2.5"))))
                .endsWith("drop\n");
    }

    @Test
    void a_policy_binds_external_ips_of_a_cluster_ip_service_too() {
        Service service = service(
                "web",
                "{clusterIP: 10.96.0.10, externalIPs: [192.0.2.7], externalTrafficPolicy: Local, ports: [{port: 80}]}");
        EndpointSlice slice = slice("one", ready("10.244.2.5"));
        assertThat(rows(service, slice)).contains("external:192.0.2.7:80/tcp", "  outside  drop\n");
    }

    @Test
    void affinity_and_its_timeout_are_on_every_row_of_the_service() {
        Service service = service(
                "web",
                "{type: NodePort, clusterIP: 10.96.0.10, sessionAffinity: ClientIP, ports: [{port: 80, nodePort: 30080}]}");
        assertThat(rows(service).lines()).hasSize(2).allMatch(line -> line.contains("  affinity=10800s"));
        Service short1 = service(
                "web",
                "{clusterIP: 10.96.0.10, sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 7}}, ports: [{port: 80}]}");
        assertThat(rows(short1)).contains("  affinity=7s  reject");
    }

    private static String local(String address) {
        return TestObjects.on("node-a", address);
    }
}
