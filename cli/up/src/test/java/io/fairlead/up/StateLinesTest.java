package io.fairlead.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Snapshot;
import org.junit.jupiter.api.Test;

final class StateLinesTest {
    private static final Snapshot ONE_POD = Snapshots.of(
            Snapshots.pod("hello-1", "node-1", "10.244.1.2", true) + Snapshots.service("{addresses: [10.244.1.2]}"));

    @Test
    void a_pod_is_followed_from_its_birth_to_its_end() {
        Snapshot waiting = Snapshots.of(Snapshots.pod("hello-1", "", "", false));
        Snapshot placed = Snapshots.of(Snapshots.pod("hello-1", "node-1", "", false));
        Snapshot ready = Snapshots.of(Snapshots.pod("hello-1", "node-1", "10.244.1.2", true));
        assertThat(StateLines.between(Snapshot.EMPTY, waiting))
                .containsExactly("pod default/hello-1: waits for a node");
        assertThat(StateLines.between(waiting, placed)).containsExactly("pod default/hello-1: not ready on node-1");
        assertThat(StateLines.between(placed, ready))
                .containsExactly("pod default/hello-1: ready on node-1 at 10.244.1.2");
        assertThat(StateLines.between(ready, Snapshot.EMPTY)).containsExactly("pod default/hello-1: gone");
    }

    @Test
    void a_pod_that_is_asked_to_end_says_so() {
        String ending = Snapshots.pod("hello-1", "node-1", "10.244.1.2", true)
                .replace("name: hello-1,", "name: hello-1, deletionTimestamp: \"2026-01-01T00:00:00Z\",");
        assertThat(StateLines.between(Snapshot.EMPTY, Snapshots.of(ending)))
                .containsExactly("pod default/hello-1: ends on node-1 at 10.244.1.2");
    }

    @Test
    void a_service_says_where_it_leads_whenever_that_changes() {
        Snapshot two = Snapshots.of(Snapshots.pod("hello-1", "node-1", "10.244.1.2", true)
                + Snapshots.service("{addresses: [10.244.2.2]}, {addresses: [10.244.1.2]}"));
        Snapshot unready = Snapshots.of(Snapshots.pod("hello-1", "node-1", "10.244.1.2", true)
                + Snapshots.service("{addresses: [10.244.2.2], conditions: {ready: false}}"));
        assertThat(StateLines.between(ONE_POD, two))
                .containsExactly("service default/hello: leads to 10.244.1.2, 10.244.2.2");
        assertThat(StateLines.between(two, unready)).containsExactly("service default/hello: leads nowhere");
        assertThat(StateLines.between(two, Snapshots.of(Snapshots.pod("hello-1", "node-1", "10.244.1.2", true))))
                .containsExactly("service default/hello: gone");
    }

    @Test
    void what_a_user_does_not_see_is_not_told() {
        Snapshot relabelled = Snapshots.of(
                Snapshots.pod("hello-1", "node-1", "10.244.1.2", true).replace("app: hello", "app: hello, tier: front")
                        + Snapshots.service("{addresses: [10.244.1.2]}"));
        assertThat(StateLines.between(ONE_POD, relabelled)).isEmpty();
    }
}
