package io.fairlead.forwarding;

import static io.fairlead.forwarding.TestObjects.NODE_A;
import static io.fairlead.forwarding.TestObjects.on;
import static io.fairlead.forwarding.TestObjects.ready;
import static io.fairlead.forwarding.TestObjects.service;
import static io.fairlead.forwarding.TestObjects.slice;
import static io.fairlead.forwarding.TestObjects.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HealthCheckTest {
    private static final Service LOCAL = balanced("Local");

    @Test
    void it_counts_the_ready_pods_of_this_node() {
        EndpointSlice slice = slice("one", on("node-a", "10.244.1.1"), on("node-a", "10.244.1.2"), ready("10.244.2.1"));
        assertThat(checks(LOCAL, slice))
                .containsExactly(new HealthCheck(new NamespacedName("default", "web"), 32123, 2));
    }

    @Test
    void a_pod_that_goes_down_does_not_count_though_it_serves() {
        String going = "{addresses: [10.244.1.5], nodeName: node-a, conditions: {ready: false, terminating: true}}";
        assertThat(checks(LOCAL, slice("one", going)))
                .extracting(HealthCheck::localEndpoints)
                .containsExactly(0);
    }

    @Test
    void a_pod_in_two_slices_counts_once() {
        assertThat(checks(LOCAL, slice("one", on("node-a", "10.244.1.1")), slice("two", on("node-a", "10.244.1.1"))))
                .extracting(HealthCheck::localEndpoints)
                .containsExactly(1);
    }

    @Test
    void no_load_balancer_asks_under_another_policy() {
        assertThat(checks(balanced("Cluster"))).isEmpty();
    }

    @Test
    void it_goes_with_its_service() {
        ForwardingTable table = ForwardingTable.of(snapshot(LOCAL), NODE_A);
        assertThat(table.healthChecks().values()).hasSize(1);
        assertThat(table.at(snapshot()).healthChecks().isEmpty()).isTrue();
    }

    private static List<HealthCheck> checks(KubernetesObject... objects) {
        return ForwardingTable.of(snapshot(objects), NODE_A)
                .healthChecks()
                .values()
                .toList();
    }

    private static Service balanced(String policy) {
        return service(
                "web",
                "{type: LoadBalancer, clusterIP: 10.96.0.10, externalTrafficPolicy: %s, healthCheckNodePort: 32123, ports: [{port: 80}]}"
                        .formatted(policy));
    }
}
