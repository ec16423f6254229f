package io.fairlead.endpoints;

import static io.fairlead.fakes.Manifests.name;
import static io.fairlead.fakes.Manifests.pod;
import static io.fairlead.fakes.Manifests.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.fakes.MemoryCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What slices say of pods of all sorts, and when they say what they were written for.
class EndpointContentTest {
    private static final String LABELS = "\"labels\":{\"app\":\"hello\"}";
    private static final String TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";

    private final MemoryCluster cluster = new MemoryCluster();

    private List<EndpointSlice> slices() {
        return slices(EndpointSlices.DEFAULT_SIZE);
    }

    private List<EndpointSlice> slices(int size) {
        cluster.settle(new EndpointSliceController(size));
        return cluster.snapshot().slicesOf(name("hello"));
    }

    private List<Endpoint> endpoints() {
        return slices().stream().flatMap(slice -> slice.endpoints().stream()).toList();
    }

    @Test
    void an_endpoint_has_its_pods_hostname_only_under_the_service_of_its_subdomain() {
        cluster.put(service("hello", ""));
        cluster.put(pod("a", "10.1.0.1", LABELS, "\"hostname\":\"a\",\"subdomain\":\"hello\"", "True"));
        cluster.put(pod("b", "10.1.0.2", LABELS, "\"hostname\":\"b\",\"subdomain\":\"other\"", "True"));
        cluster.put(pod("c", "10.1.0.3", LABELS, "\"hostname\":\"c\"", "True"));
        cluster.put(pod("d", "10.1.0.4", LABELS, "\"subdomain\":\"hello\"", "True"));

        assertThat(endpoints()).extracting(Endpoint::hostname).containsExactly("a", "", "", "");
    }

    @Test
    void a_named_port_may_be_one_of_a_sidecar_but_not_of_a_container_that_ends() {
        cluster.put(service("hello", "").replace("8080", "\"web\""));
        String init = "\"initContainers\":[{\"name\":\"i\",\"ports\":[{\"name\":\"web\",\"containerPort\":9000}]%s}]";
        cluster.put(pod("a", "10.1.0.1", LABELS, init.formatted(",\"restartPolicy\":\"Always\""), "True"));
        cluster.put(pod("b", "10.1.0.2", LABELS, init.formatted(""), "True"));

        assertThat(slices())
                .extracting(slice ->
                        slice.ports().stream().map(EndpointSlice.Port::port).toList()
                                + "="
                                + slice.endpoints().getFirst().addresses())
                .containsExactlyInAnyOrder("[9000]=[10.1.0.1]", "[]=[10.1.0.2]");
    }

    @Test
    void a_slice_has_as_many_endpoints_as_the_operator_allows() {
        cluster.put(service("hello", ""));
        for (int i = 1; i <= 7; i++) {
            cluster.put(pod("p" + i, "10.1.0." + i));
        }
        assertThat(slices(3)).extracting(slice -> slice.endpoints().size()).containsExactlyInAnyOrder(3, 3, 1);
        assertThat(slices(2)).extracting(slice -> slice.endpoints().size()).allMatch(size -> size <= 2);
        assertThat(endpoints()).hasSize(7);
    }

    @Test
    void the_first_slice_tells_when_its_service_was_made() {
        put("old", 1, "2026-01-01T00:00:01Z");
        cluster.put(service("hello", ""));

        assertThat(triggers())
                .containsExactly(Json.text(cluster.find(Kind.SERVICE, name("hello")), "metadata", "creationTimestamp"));
    }

    @Test
    void a_later_slice_tells_when_the_pod_changed_for_which_it_was_written_and_once() {
        cluster.put(service("hello", ""));
        put("a", 1, "2026-01-01T00:00:01Z");
        slices();
        put("b", 2, "2026-01-01T00:00:02Z");
        assertThat(triggers()).containsExactly("2026-01-01T00:00:02Z");

        // These are no changes of readiness, and no object says when they happened.
        cluster.patch(Kind.SERVICE, name("hello"), "{\"metadata\":{\"labels\":{\"team\":\"b\"}}}");
        assertThat(triggers()).containsExactly("");
        cluster.patch(Kind.SERVICE, name("hello"), "{\"metadata\":{\"labels\":{\"team\":\"c\"}}}");
        assertThat(triggers()).containsExactly("");
        cluster.patch(Kind.POD, name("a"), "{\"metadata\":{\"deletionTimestamp\":\"t\"}}");
        assertThat(triggers()).containsExactly("");

        cluster.patch(Kind.POD, name("b"), """
            {"status":{"conditions":[
             {"type":"Ready","status":"False","lastTransitionTime":"2026-01-01T00:00:05Z"}]}}\
            """);
        assertThat(triggers()).containsExactly("2026-01-01T00:00:05Z");
    }

    private void put(String name, int number, String ready) {
        cluster.put(pod(name, "10.1.0." + number)
                .replace("\"status\":\"True\"", "\"status\":\"True\",\"lastTransitionTime\":\"%s\"".formatted(ready)));
    }

    private List<String> triggers() {
        return slices().stream()
                .map(slice -> slice.metadata().annotations().getOrDefault(TRIGGER, ""))
                .toList();
    }
}
