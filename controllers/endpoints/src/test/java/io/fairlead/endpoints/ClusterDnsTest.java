package io.fairlead.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import io.fairlead.fakes.MemoryCluster;
import org.junit.jupiter.api.Test;

class ClusterDnsTest {
    private static final NamespacedName NAME = new NamespacedName("kube-system", "kube-dns");

    private final ClusterDns controller = new ClusterDns();
    private final MemoryCluster cluster = new MemoryCluster();

    @Test
    void the_service_has_the_tenth_address_of_the_network() {
        network();
        cluster.settle(controller);
        Service service = cluster.snapshot().services().find(NAME).orElseThrow();
        assertThat(service.clusterIps()).hasToString("[10.96.0.10]");
        assertThat(service.ports()).extracting(Service.Port::port).containsExactly(53, 53);
        assertThat(cluster.settle(controller)).isEmpty();
    }

    @Test
    void the_endpoints_are_the_nodes_that_serve_each_for_its_own() {
        network();
        node("a", "10.0.0.1", "True", true);
        node("b", "10.0.0.2", "False", true);
        node("c", "10.0.0.3", "True", false);
        cluster.settle(controller);
        EndpointSlice slice = cluster.snapshot()
                .endpointSlices()
                .find(new NamespacedName("kube-system", "kube-dns-nodes-ipv4"))
                .orElseThrow();
        assertThat(slice.service()).isEqualTo(NAME);
        assertThat(slice.endpoints())
                .extracting(EndpointSlice.Endpoint::nodeName)
                .containsExactly("a", "b");
        assertThat(slice.endpoints()).extracting(EndpointSlice.Endpoint::ready).containsExactly(true, false);
        assertThat(slice.endpoints().getFirst().hints().nodes()).containsExactly("a");
        assertThat(cluster.settle(controller)).isEmpty();
    }

    @Test
    void a_kube_dns_that_selects_pods_is_left_alone() {
        network();
        node("a", "10.0.0.1", "True", true);
        cluster.put("""
                {"apiVersion":"v1","kind":"Service","metadata":{"namespace":"kube-system","name":"kube-dns"},
                 "spec":{"clusterIP":"10.96.0.10","selector":{"k8s-app":"kube-dns"},"ports":[{"port":53}]}}
                """);
        assertThat(cluster.settle(controller)).isEmpty();
    }

    private void network() {
        cluster.put("""
                {"apiVersion":"networking.k8s.io/v1","kind":"ServiceCIDR","metadata":{"name":"kubernetes"},
                 "spec":{"cidrs":["10.96.0.0/16"]}}
                """);
        assertThat(cluster.snapshot().objects(Kind.SERVICE_CIDR).size()).isOne();
    }

    private void node(String name, String ip, String ready, boolean serves) {
        cluster.put("""
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":{"fairlead.io/dns":"%s"}},
                 "status":{"addresses":[{"type":"InternalIP","address":"%s"}],
                           "conditions":[{"type":"Ready","status":"%s"}]}}
                """.formatted(name, serves, ip, ready));
    }
}
