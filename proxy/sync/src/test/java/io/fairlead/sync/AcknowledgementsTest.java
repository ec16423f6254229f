package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Node;
import io.fairlead.api.Revision;
import io.fairlead.api.Snapshot;
import io.fairlead.yaml.Yaml;
import org.junit.jupiter.api.Test;

final class AcknowledgementsTest {
    private final Acknowledgements acknowledgements = new Acknowledgements("node-a");
    private final Snapshot told = Snapshot.EMPTY.with(node("3"));

    @Test
    void a_proxy_tells_at_its_start_what_it_has() {
        acknowledgements.programmed(Snapshot.EMPTY, told.with(slice("web", 7, true)));
        assertThat(acknowledgements.due()).contains(new Revision(7));
    }

    @Test
    void a_change_by_which_no_pod_leaves_is_not_told() {
        Snapshot before = told.with(slice("web", 7, false));
        acknowledgements.programmed(before, before.with(slice("web", 8, true)));
        acknowledgements.programmed(before.with(slice("web", 8, true)), before.with(slice("web", 9, true)));
        assertThat(acknowledgements.due()).isEmpty();
    }

    @Test
    void what_is_told_when_a_pod_leaves_is_the_newest_slice_of_all() {
        Snapshot before = told.with(slice("web", 9, true)).with(slice("api", 7, true));
        acknowledgements.programmed(Snapshot.EMPTY, before);
        acknowledgements.programmed(before, before.with(slice("api", 8, false)));
        assertThat(acknowledgements.due()).contains(new Revision(9));
    }

    @Test
    void a_pod_that_takes_long_to_leave_is_told_of_once() {
        Snapshot before = told.with(slice("web", 7, true));
        Snapshot leaving = before.with(slice("web", 8, false));
        acknowledgements.programmed(before, leaving);
        acknowledgements.programmed(leaving, leaving.with(slice("api", 9, true)));
        assertThat(acknowledgements.due()).contains(new Revision(8));
    }

    @Test
    void a_pod_that_is_published_to_its_end_is_told_of_when_it_becomes_terminating() {
        Snapshot before = told.with(slice("web", 7, endpoint(1, "ready: true, terminating: false")));
        acknowledgements.programmed(
                before, before.with(slice("web", 8, endpoint(1, "ready: true, terminating: true"))));
        assertThat(acknowledgements.due()).contains(new Revision(8));
    }

    @Test
    void an_unready_pod_is_told_of_when_it_becomes_terminating() {
        Snapshot before = told.with(slice("web", 7, endpoint(1, "ready: false, terminating: false")));
        acknowledgements.programmed(
                before, before.with(slice("web", 8, endpoint(1, "ready: false, terminating: true"))));
        assertThat(acknowledgements.due()).contains(new Revision(8));
    }

    @Test
    void one_of_many_that_goes_is_noticed_without_the_names_of_pods() {
        Snapshot before = told.with(Remembered.of(slice("web", 7, endpoint(1, "ready: true"), endpoint(2, ""))));
        acknowledgements.programmed(before, before.with(Remembered.of(slice("web", 8, endpoint(2, "")))));
        assertThat(acknowledgements.due()).contains(new Revision(8));
    }

    @Test
    void the_end_of_a_pod_that_was_told_of_already_is_not_told() {
        Snapshot before = told.with(slice("web", 7, endpoint(1, "ready: false, terminating: true"), endpoint(2, "")));
        acknowledgements.programmed(before, before.with(slice("web", 8, endpoint(2, ""))));
        assertThat(acknowledgements.due()).isEmpty();
    }

    @Test
    void a_node_that_lost_the_word_gets_it_again() {
        Snapshot bare = Snapshot.EMPTY.with(node(""));
        acknowledgements.programmed(bare, bare.with(slice("web", 7, true)));
        assertThat(acknowledgements.due()).contains(new Revision(7));
    }

    private static Node node(String programmed) {
        return Node.of(Yaml.parseAll("metadata: {name: node-a, annotations: {fairlead.io/programmed-slices: \"%s\"}}"
                        .formatted(programmed))
                .getFirst());
    }

    private static EndpointSlice slice(String service, int revision, boolean ready) {
        return slice(service, revision, endpoint(1, "ready: " + ready));
    }

    private static String endpoint(int number, String conditions) {
        return "{addresses: [10.244.1.%d], conditions: {%s}, targetRef: {uid: u-%1$d}}".formatted(number, conditions);
    }

    private static EndpointSlice slice(String service, int revision, String... endpoints) {
        return EndpointSlice.of(Yaml.parseAll("""
            metadata:
              namespace: default
              name: %s-1
              resourceVersion: "%d"
              labels: {kubernetes.io/service-name: %1$s}
            endpoints: [%s]
            """.formatted(service, revision, String.join(", ", endpoints)))
                .getFirst());
    }
}
