package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.api.Revision;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.yaml.Yaml;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The barrier before the first signal of a pod.
final class ExposureTest {
    private static final String OFFERED = "ready: true, serving: true, terminating: false";
    private static final String LEAVING = "ready: false, serving: true, terminating: true";

    private final Pod pod = Pod.of(yaml("""
        metadata:
          namespace: default
          name: web
          uid: u-1
          labels: {app: web}
          deletionTimestamp: 2026-11-15T12:00:30Z
        status: {podIP: 10.1.0.2, conditions: [{type: Ready, status: "True"}]}
        """));
    private final Snapshot selected = Snapshot.EMPTY.with(service("type: ClusterIP"));

    @Test
    void a_pod_that_no_service_selects_is_exposed_to_no_client() {
        assertThat(exposure(Snapshot.EMPTY)).isEqualTo(Exposure.NONE);
        assertThat(exposure(Snapshot.EMPTY.with(service("type: ExternalName")))).isEqualTo(Exposure.NONE);
    }

    @Test
    void a_pod_is_offered_until_its_slice_says_that_it_leaves() {
        assertThat(exposure(selected.with(slice(7, OFFERED)))).isEqualTo(Exposure.OFFERED);
        assertThat(exposure(selected.with(slice(8, LEAVING)))).isEqualTo(Exposure.WITHDRAWN);
    }

    @Test
    void a_pod_that_became_unready_is_offered_until_its_slice_says_that_it_leaves() {
        String unready = "ready: false, serving: false, terminating: false";

        assertThat(exposure(selected.with(slice(7, unready)))).isEqualTo(Exposure.OFFERED);
    }

    @Test
    void a_ready_pod_whose_slice_we_have_not_seen_may_be_offered_already() {
        assertThat(exposure(selected)).isEqualTo(Exposure.OFFERED);
    }

    @Test
    void every_live_node_must_have_programmed_the_slice_that_says_so() {
        Snapshot leaving = selected.with(slice(8, LEAVING)).with(node("one", "True", "8"));

        assertThat(exposure(leaving)).isEqualTo(Exposure.WITHDRAWN);
        assertThat(exposure(leaving.with(node("two", "True", "7")))).isEqualTo(Exposure.OFFERED);
        assertThat(exposure(leaving.with(node("two", "True", "9")))).isEqualTo(Exposure.WITHDRAWN);
    }

    @Test
    void the_agent_waits_for_no_lost_node_and_for_none_without_a_proxy() {
        Snapshot leaving = selected.with(slice(8, LEAVING)).with(node("one", "True", "8"));

        assertThat(exposure(leaving.with(node("lost", "Unknown", "7")))).isEqualTo(Exposure.WITHDRAWN);
        assertThat(exposure(leaving.with(node("bare", "True", "none")))).isEqualTo(Exposure.WITHDRAWN);
    }

    @Test
    void a_pod_that_a_slice_lost_before_its_deletion_is_offered_until_every_node_follows() {
        Snapshot before = Snapshot.EMPTY.with(slice(7, OFFERED)).with(node("one", "True", "7"));
        EndpointSlice without =
                EndpointSlice.of(yaml("metadata: {namespace: default, name: web-1, resourceVersion: \"8\"}"));
        Departures departures = new Departures();
        departures.follow(before, before.with(without), Set.of("u-1"));

        assertThat(Exposure.of(before.with(without), pod, departures.of("u-1"))).isEqualTo(Exposure.OFFERED);
        assertThat(Exposure.of(before.with(without).with(node("one", "True", "8")), pod, departures.of("u-1")))
                .isEqualTo(Exposure.WITHDRAWN);
    }

    @Test
    void a_service_that_publishes_pods_in_any_state_holds_none_back() {
        Snapshot leaving = selected.with(slice(8, "ready: true, serving: true, terminating: true"));

        assertThat(exposure(leaving)).isEqualTo(Exposure.WITHDRAWN);
    }

    @Test
    void a_pod_that_is_gone_from_the_api_is_offered_while_its_slice_says_ready() {
        assertThat(Exposure.ofGone(selected.with(slice(7, OFFERED)), "default", "u-1"))
                .isEqualTo(Exposure.OFFERED);
        assertThat(Exposure.ofGone(selected.with(slice(8, LEAVING)), "default", "u-1"))
                .isEqualTo(Exposure.NONE);
    }

    private Exposure exposure(Snapshot snapshot) {
        return Exposure.of(snapshot, pod, Revision.ZERO);
    }

    private static Service service(String type) {
        return Service.of(
                yaml("{metadata: {namespace: default, name: web}, spec: {selector: {app: web}, %s}}".formatted(type)));
    }

    private static EndpointSlice slice(int revision, String conditions) {
        return EndpointSlice.of(yaml("""
            metadata:
              namespace: default
              name: web-1
              resourceVersion: "%d"
              labels: {kubernetes.io/service-name: web}
            endpoints: [{addresses: [10.1.0.2], conditions: {%s}, targetRef: {uid: u-1}}]
            """.formatted(revision, conditions)));
    }

    private static Node node(String name, String ready, String programmed) {
        return Node.of(yaml("""
            metadata: {name: %s, annotations: {fairlead.io/programmed-slices: "%s"}}
            status: {conditions: [{type: Ready, status: "%s"}]}
            """.formatted(name, programmed, ready)));
    }

    private static JsonNode yaml(String text) {
        return Yaml.parseAll(text).getFirst();
    }
}
