package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.sync.PolicyMetrics.Policy;
import io.fairlead.yaml.Yaml;
import org.junit.jupiter.api.Test;

final class PolicyMetricsTest {
    private static ForwardingTable table(String policies, String node) {
        Service service = Service.of(Yaml.parseAll("""
            metadata: {namespace: default, name: web}
            spec:
              type: LoadBalancer
              clusterIP: 10.96.0.10
              %s
              ports: [{name: a, port: 80, nodePort: 30080}, {name: b, port: 81, nodePort: 30081}]
            status: {loadBalancer: {ingress: [{ip: 203.0.113.1}]}}
            """.formatted(policies)).getFirst());
        EndpointSlice slice =
                EndpointSlice.of(Yaml.parseAll("""
                    metadata: {namespace: default, name: web-1, labels: {kubernetes.io/service-name: web}}
                    addressType: IPv4
                    ports: [{name: a, port: 8080}, {name: b, port: 8081}]
                    endpoints: [{addresses: [10.244.1.1], nodeName: %s}]
                    """.formatted(node)).getFirst());
        return ForwardingTable.of(Snapshot.EMPTY.with(service).with(slice), TestCluster.NODE);
    }

    @Test
    void a_port_counts_once_for_the_policy_that_keeps_it_silent() {
        ForwardingTable external = table("externalTrafficPolicy: Local", "node-b");
        assertThat(PolicyMetrics.silent(external, Policy.EXTERNAL, Family.IPV4)).isEqualTo(2);
        assertThat(PolicyMetrics.silent(external, Policy.INTERNAL, Family.IPV4)).isZero();
        assertThat(PolicyMetrics.silent(external, Policy.EXTERNAL, Family.IPV6)).isZero();

        ForwardingTable internal = table("internalTrafficPolicy: Local", "node-b");
        assertThat(PolicyMetrics.silent(internal, Policy.INTERNAL, Family.IPV4)).isEqualTo(2);
        assertThat(PolicyMetrics.silent(internal, Policy.EXTERNAL, Family.IPV4)).isZero();
    }

    @Test
    void a_node_with_an_endpoint_is_not_silent() {
        ForwardingTable table = table("externalTrafficPolicy: Local", TestCluster.NODE.name());
        assertThat(PolicyMetrics.silent(table, Policy.EXTERNAL, Family.IPV4)).isZero();
    }
}
