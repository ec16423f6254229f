package io.fairlead.endpoints;

import static io.fairlead.fakes.Manifests.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.Kind;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.runner.Controller;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HintsTest {
    private final Controller controller = new EndpointSliceController(EndpointSlices.DEFAULT_SIZE);
    private final MemoryCluster cluster = new MemoryCluster();

    private static final String AUTO = ",\"annotations\":{\"service.kubernetes.io/topology-mode\":\"Auto\"}";

    private void service(String metadata, String spec) {
        cluster.put("""
            {"apiVersion":"v1","kind":"Service","metadata":{"name":"hello","namespace":"default"%s},
             "spec":{"clusterIP":"10.96.0.1","selector":{"app":"hello"},"ports":[{"port":80}]%s}}\
            """.formatted(metadata, spec));
    }

    private void node(String name, String zone, int cpus) {
        cluster.put("""
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":{"topology.kubernetes.io/zone":"%s"}},
             "status":{"allocatable":{"cpu":"%d"},"conditions":[{"type":"Ready","status":"True"}]}}\
            """.formatted(name, zone, cpus));
    }

    private void pods(String node, int first, int count, String ready) {
        for (int i = first; i < first + count; i++) {
            cluster.put("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d","namespace":"default","labels":{"app":"hello"}},
                 "spec":{"nodeName":"%s"},
                 "status":{"phase":"Running","podIP":"10.1.0.%d","conditions":[{"type":"Ready","status":"%s"}]}}\
                """.formatted(i, node, i, ready));
        }
    }

    private List<Endpoint> endpoints() {
        cluster.settle(controller);
        return cluster.snapshot().slicesOf(name("hello")).stream()
                .map(EndpointSlice::endpoints)
                .flatMap(List::stream)
                .toList();
    }

    /// How many endpoints are meant for each zone; without a hint, for none.
    private Map<String, Integer> zones() {
        Map<String, Integer> zones = new TreeMap<>();
        endpoints().forEach(endpoint -> endpoint.hints().zones().forEach(zone -> zones.merge(zone, 1, Integer::sum)));
        return zones;
    }

    @Test
    void each_ready_endpoint_is_meant_for_its_own_zone() {
        service("", ",\"trafficDistribution\":\"PreferSameZone\"");
        node("n1", "a", 4);
        node("n2", "b", 4);
        pods("n1", 1, 2, "True");
        pods("n2", 3, 1, "True");
        pods("n2", 4, 1, "False");
        assertThat(zones()).isEqualTo(Map.of("a", 2, "b", 1));
        assertThat(endpoints())
                .allSatisfy(endpoint -> assertThat(endpoint.hints().nodes()).isEmpty());
    }

    @Test
    void prefer_same_node_names_the_node_too() {
        service("", ",\"trafficDistribution\":\"PreferSameNode\"");
        node("n1", "a", 4);
        pods("n1", 1, 1, "True");
        assertThat(endpoints()).singleElement().satisfies(endpoint -> {
            assertThat(endpoint.hints().nodes()).containsExactly("n1");
            assertThat(endpoint.hints().zones()).containsExactly("a");
        });
    }

    @Test
    void prefer_close_is_another_word_for_the_same_zone() {
        service("", ",\"trafficDistribution\":\"PreferClose\"");
        node("n1", "a", 4);
        pods("n1", 1, 2, "True");
        assertThat(zones()).isEqualTo(Map.of("a", 2));
    }

    @Test
    void hints_go_when_the_service_asks_for_them_no_more() {
        service("", ",\"trafficDistribution\":\"PreferSameNode\"");
        node("n1", "a", 4);
        pods("n1", 1, 2, "True");
        assertThat(zones()).isEqualTo(Map.of("a", 2));

        cluster.patch(Kind.SERVICE, name("hello"), "{\"spec\":{\"trafficDistribution\":null}}");
        assertThat(endpoints())
                .allSatisfy(endpoint -> assertThat(endpoint.hints()).isEqualTo(EndpointSlice.Hints.NONE));
    }

    @Test
    void topology_mode_counts_before_a_distribution() {
        service(AUTO, ",\"trafficDistribution\":\"PreferSameNode\"");
        node("n1", "a", 6);
        node("n2", "b", 2);
        pods("n1", 1, 3, "True");
        pods("n2", 4, 5, "True");
        assertThat(zones()).isEqualTo(Map.of("a", 5, "b", 3));
        assertThat(endpoints())
                .allSatisfy(endpoint -> assertThat(endpoint.hints().nodes()).isEmpty());
    }

    @Test
    void without_a_distribution_there_are_no_hints() {
        service("", "");
        node("n1", "a", 4);
        pods("n1", 1, 1, "True");
        assertThat(zones()).isEmpty();
    }

    @Test
    void auto_shares_endpoints_by_the_cpus_of_the_zones() {
        service(",\"annotations\":{\"service.kubernetes.io/topology-mode\":\"Auto\"}", "");
        node("n1", "a", 6);
        node("n2", "b", 2);
        pods("n1", 1, 3, "True");
        pods("n2", 4, 5, "True");
        assertThat(zones()).isEqualTo(Map.of("a", 5, "b", 3)); // a needs 6 / 1.2
        assertThat(cluster.reports()).isEmpty();
    }

    @Test
    void hints_go_with_a_warning_when_a_zone_would_have_no_endpoint() {
        service(",\"annotations\":{\"service.kubernetes.io/topology-mode\":\"auto\"}", "");
        node("n1", "a", 4);
        node("n2", "b", 4);
        pods("n1", 1, 1, "True");
        pods("n2", 2, 1, "True");
        assertThat(zones()).isEqualTo(Map.of("a", 1, "b", 1));
        cluster.remove(Kind.POD, name("p2"));
        assertThat(zones()).isEmpty();
        assertThat(cluster.reports())
                .singleElement()
                .extracting("event.reason")
                .isEqualTo("TopologyAwareHintsDisabled");
    }

    @Test
    void a_service_that_comes_before_its_pods_is_warned_once() {
        service(AUTO, "");
        node("n1", "a", 4);
        node("n2", "b", 4);
        endpoints();
        assertThat(cluster.reports()).isEmpty();
        pods("n1", 1, 1, "True");
        endpoints();
        cluster.patch(Kind.SERVICE, name("hello"), "{\"metadata\":{\"labels\":{\"team\":\"b\"}}}");
        endpoints();
        assertThat(cluster.reports()).hasSize(1);
    }

    @Test
    void a_live_service_that_asks_for_the_impossible_is_warned_and_again_after_it_was_possible() {
        service("", "");
        node("n1", "a", 4);
        node("n2", "b", 4);
        pods("n1", 1, 1, "True");
        endpoints();
        cluster.patch(
                Kind.SERVICE,
                name("hello"),
                "{\"metadata\":{\"annotations\":{\"service.kubernetes.io/topology-mode\":\"Auto\"}}}");
        endpoints();
        assertThat(cluster.reports()).hasSize(1);

        pods("n2", 2, 1, "True");
        assertThat(zones()).hasSize(2);
        assertThat(cluster.snapshot()
                        .services()
                        .find(name("hello"))
                        .orElseThrow()
                        .metadata()
                        .annotations())
                .doesNotContainKey(Hints.PROBLEM);
        cluster.remove(Kind.POD, name("p2"));
        endpoints();
        assertThat(cluster.reports()).hasSize(2);
    }
}
