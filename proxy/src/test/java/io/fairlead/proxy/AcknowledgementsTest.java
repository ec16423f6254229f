package io.fairlead.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Node;
import io.fairlead.api.Revision;
import io.fairlead.api.Snapshot;
import io.fairlead.api.Yaml;
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
        return EndpointSlice.of(
                Yaml.parseAll("""
                    metadata:
                      namespace: default
                      name: %s-1
                      resourceVersion: "%d"
                      labels: {kubernetes.io/service-name: %1$s}
                    endpoints: [{addresses: [10.244.1.1], conditions: {ready: %s}, targetRef: {uid: u-1}}]
                    """.formatted(service, revision, ready)).getFirst());
    }
}
