package io.fairlead.endpoints;

import static io.fairlead.fakes.Manifests.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Kind;
import io.fairlead.api.ObjectMeta;
import io.fairlead.fakes.MemoryCluster;
import io.fairlead.runner.Controller;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EndpointSliceMirroringTest {
    private final Controller controller = new EndpointSliceMirroring(EndpointSlices.DEFAULT_SIZE);
    private final MemoryCluster cluster = new MemoryCluster();

    private static String service(String selector) {
        return """
                {"apiVersion":"v1","kind":"Service","metadata":{"name":"hello","namespace":"default"},
                 "spec":{"clusterIP":"10.96.0.1",%s"ports":[{"name":"http","port":80}]}}""".formatted(selector);
    }

    private static String endpoints(String metadata) {
        return """
                {"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"hello","namespace":"default"%s},
                 "subsets":[{"addresses":[{"ip":"192.0.2.1","hostname":"one"},{"ip":"2001:db8::1"}],
                             "notReadyAddresses":[{"ip":"192.0.2.2"}],
                             "ports":[{"name":"http","port":8080,"protocol":"TCP"}]}]}""".formatted(metadata);
    }

    private List<EndpointSlice> slices() {
        cluster.settle(controller);
        return cluster.snapshot().slicesOf(name("hello"));
    }

    @Test
    void hand_made_endpoints_are_mirrored_family_by_family() {
        cluster.put(service(""));
        cluster.put(endpoints(",\"labels\":{\"by\":\"hand\"}"));

        assertThat(slices()).extracting(EndpointSlice::addressType).containsExactlyInAnyOrder("IPv4", "IPv6");
        assertThat(slices()).allSatisfy(slice -> {
            assertThat(slice.metadata().labels())
                    .containsEntry("by", "hand")
                    .containsEntry(
                            "endpointslice.kubernetes.io/managed-by", "endpointslicemirroring-controller.k8s.io");
            assertThat(slice.metadata().owners())
                    .singleElement()
                    .extracting(ObjectMeta.OwnerReference::kind)
                    .isEqualTo("Endpoints");
        });
        assertThat(slices().stream().flatMap(slice -> slice.endpoints().stream()))
                .extracting(e -> e.addresses().getFirst() + " " + e.ready() + " " + e.hostname())
                .containsExactlyInAnyOrder("192.0.2.1 true one", "192.0.2.2 false ", "2001:db8::1 true ");
        assertThat(cluster.settle(controller)).isEmpty();
    }

    @Test
    void the_mirror_goes_with_the_endpoints_and_comes_back_with_them() {
        cluster.put(service(""));
        cluster.put(endpoints(""));
        assertThat(slices()).hasSize(2);
        cluster.remove(Kind.ENDPOINTS, name("hello"));
        assertThat(slices()).isEmpty();
        cluster.put(endpoints(""));
        assertThat(slices()).hasSize(2);
    }

    @Test
    void a_service_that_gets_a_selector_is_mirrored_no_more() {
        cluster.put(service(""));
        cluster.put(endpoints(""));
        assertThat(slices()).hasSize(2);
        cluster.remove(Kind.SERVICE, name("hello"));
        cluster.put(service("\"selector\":{\"app\":\"hello\"},"));
        assertThat(slices()).isEmpty();
    }

    @Test
    void a_service_that_is_going_keeps_its_mirror_but_gets_no_new_one() {
        cluster.put(service(""));
        cluster.put(endpoints(""));
        assertThat(slices()).hasSize(2);
        cluster.patch(Kind.SERVICE, name("hello"), "{\"metadata\":{\"deletionTimestamp\":\"t\"}}");
        assertThat(slices()).hasSize(2);
        cluster.remove(Kind.ENDPOINT_SLICE, slices().getFirst().key());
        assertThat(slices()).hasSize(1);
    }

    @Test
    void a_subset_is_mirrored_up_to_a_thousand_addresses() {
        cluster.put(service(""));
        String addresses = IntStream.range(0, 1200)
                .mapToObj(i -> "{\"ip\":\"10.3.%d.%d\"}".formatted(i / 200, i % 200 + 1))
                .collect(Collectors.joining(","));
        cluster.put("""
                {"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"hello","namespace":"default"},
                 "subsets":[{"addresses":[%s],"ports":[{"name":"http","port":8080}]}]}""".formatted(addresses));

        assertThat(slices().stream().mapToInt(slice -> slice.endpoints().size()).sum())
                .isEqualTo(1000);
    }

    @Test
    void endpoints_that_ask_for_it_are_left_alone() {
        cluster.put(service(""));
        cluster.put(endpoints(",\"labels\":{\"endpointslice.kubernetes.io/skip-mirror\":\"true\"}"));
        assertThat(slices()).isEmpty();
    }
}
