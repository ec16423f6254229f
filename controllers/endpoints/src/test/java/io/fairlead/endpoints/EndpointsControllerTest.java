package io.fairlead.endpoints;

import static io.fairlead.fakes.Manifests.name;
import static io.fairlead.fakes.Manifests.pod;
import static io.fairlead.fakes.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Endpoints;
import io.fairlead.api.Kind;
import io.fairlead.fakes.Manifests;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.runner.Controller;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EndpointsControllerTest {
    private final Controller controller = new EndpointsController();
    private final MemoryCluster cluster = new MemoryCluster();

    private Endpoints endpoints() {
        cluster.settle(controller);
        return cluster.snapshot().endpoints().find(name("hello")).orElseThrow();
    }

    private static List<String> ips(List<Endpoints.Address> addresses) {
        return addresses.stream().map(address -> address.ip().toString()).toList();
    }

    private static String pod(String name, String ip, String more, String ready) {
        return Manifests.pod(name, ip, "\"labels\":{\"app\":\"hello\"}" + more, "\"containers\":[]", ready);
    }

    @Test
    void ready_and_unready_pods_are_listed_apart() {
        cluster.put(service("hello", ""));
        cluster.put(Manifests.pod("b", "10.1.0.2"));
        cluster.put(Manifests.pod("a", "10.1.0.1"));
        cluster.put(pod("c", "10.1.0.3", "", "False"));

        Endpoints.Subset subset = endpoints().subsets().getFirst();

        assertThat(ips(subset.addresses())).containsExactly("10.1.0.1", "10.1.0.2");
        assertThat(ips(subset.notReadyAddresses())).containsExactly("10.1.0.3");
        assertThat(subset.ports()).singleElement().extracting("name", "port").containsExactly("http", 8080);
        assertThat(endpoints().metadata().labels())
                .containsEntry("team", "a")
                .containsEntry("endpoints.kubernetes.io/managed-by", "endpoint-controller");
        assertThat(cluster.settle(controller)).isEmpty();
    }

    @Test
    void a_service_that_selects_nothing_has_empty_endpoints() {
        cluster.put(service("hello", ""));
        assertThat(endpoints().subsets()).isEmpty();
    }

    @Test
    void a_pod_that_is_ending_leaves() {
        cluster.put(service("hello", ""));
        cluster.put(pod("a", "10.1.0.1", ",\"deletionTimestamp\":\"t\"", "True"));
        assertThat(endpoints().subsets()).isEmpty();
    }

    @Test
    void a_service_that_publishes_them_has_unready_pods_among_the_ready() {
        cluster.put(service("hello", ",\"publishNotReadyAddresses\":true"));
        cluster.put(pod("a", "10.1.0.1", "", "False"));
        assertThat(ips(endpoints().subsets().getFirst().addresses())).containsExactly("10.1.0.1");
    }

    @Test
    void pods_with_different_ports_are_in_subsets_of_their_own_and_one_without_any_is_in_none() {
        cluster.put("""
                {"apiVersion":"v1","kind":"Service","metadata":{"name":"hello","namespace":"default"},
                 "spec":{"clusterIP":"10.96.0.1","selector":{"app":"hello"},"ports":[
                   {"name":"http","port":80,"targetPort":"web"},{"name":"metrics","port":90,"targetPort":"numbers"}]}}""");
        cluster.put(listening("both", "10.1.0.1", "web", "numbers"));
        cluster.put(listening("half", "10.1.0.2", "web"));
        cluster.put(listening("also-half", "10.1.0.3", "web"));
        cluster.put(listening("neither", "10.1.0.4", "other"));

        assertThat(endpoints().subsets())
                .extracting(subset ->
                        subset.ports().stream().map(EndpointSlice.Port::name).toList() + "=" + ips(subset.addresses()))
                .containsExactlyInAnyOrder("[http, metrics]=[10.1.0.1]", "[http]=[10.1.0.2, 10.1.0.3]");
    }

    private static String listening(String name, String ip, String... ports) {
        String list = Arrays.stream(ports)
                .map(port -> "{\"name\":\"%s\",\"containerPort\":%d}".formatted(port, 8000 + port.length()))
                .collect(Collectors.joining(","));
        return Manifests.pod(
                name,
                ip,
                "\"labels\":{\"app\":\"hello\"}",
                "\"containers\":[{\"name\":\"c\",\"ports\":[%s]}]".formatted(list),
                "True");
    }

    @Test
    void a_headless_service_without_ports_lists_its_pods_all_the_same() {
        cluster.put("""
                {"apiVersion":"v1","kind":"Service","metadata":{"name":"hello","namespace":"default"},
                 "spec":{"clusterIP":"None","ipFamilies":["IPv4"],"selector":{"app":"hello"}}}""");
        cluster.put(Manifests.pod("a", "10.1.0.1"));
        assertThat(ips(endpoints().subsets().getFirst().addresses())).containsExactly("10.1.0.1");
    }

    @Test
    void a_service_that_is_going_has_its_endpoints_followed_but_not_made_anew() {
        cluster.put(service("hello", ""));
        cluster.put(Manifests.pod("a", "10.1.0.1"));
        endpoints();
        cluster.patch(Kind.SERVICE, name("hello"), "{\"metadata\":{\"deletionTimestamp\":\"t\"}}");
        cluster.put(Manifests.pod("b", "10.1.0.2"));
        assertThat(ips(endpoints().subsets().getFirst().addresses())).containsExactly("10.1.0.1", "10.1.0.2");
        cluster.remove(Kind.ENDPOINTS, name("hello"));
        assertThat(cluster.settle(controller)).isEmpty();
    }

    @Test
    void a_label_that_says_headless_is_not_believed() {
        cluster.put(service("hello", "").replace("\"team\":\"a\"", "\"service.kubernetes.io/headless\":\"\""));
        assertThat(endpoints().metadata().labels()).doesNotContainKey("service.kubernetes.io/headless");
    }

    @Test
    void deleted_endpoints_come_back_at_once() {
        cluster.put(service("hello", ""));
        cluster.put(Manifests.pod("a", "10.1.0.1"));
        Endpoints before = endpoints();
        cluster.remove(Kind.ENDPOINTS, name("hello"));
        assertThat(endpoints().subsets()).isEqualTo(before.subsets());
    }

    @Test
    void more_than_a_thousand_are_cut_off_and_the_ready_stay() {
        cluster.put(service("hello", ""));
        for (int i = 0; i < 1001; i++) {
            String ready = i < 10 ? "False" : "True";
            cluster.put(pod("p" + i, "10.1.%d.%d".formatted(i / 250, i % 250 + 1), "", ready));
        }

        Endpoints endpoints = endpoints();

        assertThat(endpoints.subsets().getFirst().addresses()).hasSize(991);
        assertThat(endpoints.subsets().getFirst().notReadyAddresses()).hasSize(9);
        assertThat(endpoints.metadata().annotations())
                .containsEntry("endpoints.kubernetes.io/over-capacity", "truncated");
        cluster.remove(Kind.POD, name("p0"));
        assertThat(endpoints().metadata().annotations()).isEmpty();
    }

    @Test
    void the_endpoints_of_a_service_without_a_selector_are_not_touched() {
        cluster.put("""
                {"apiVersion":"v1","kind":"Service","metadata":{"name":"hello","namespace":"default"},
                 "spec":{"clusterIP":"10.96.0.1","ports":[{"port":80}]}}""");
        cluster.put("""
                {"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"hello","namespace":"default"},
                 "subsets":[{"addresses":[{"ip":"192.0.2.1"}],"ports":[{"port":80}]}]}""");
        assertThat(cluster.settle(controller)).isEmpty();
    }
}
