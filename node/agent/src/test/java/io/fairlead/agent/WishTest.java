package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.api.Revision;
import io.fairlead.api.Snapshot;
import org.junit.jupiter.api.Test;

final class WishTest {
    private final Pod pod = TestPods.pod();

    @Test
    void a_pod_in_the_api_is_to_run() {
        assertThat(wish(Snapshot.EMPTY.with(pod))).isEqualTo(new Wish.Run(pod));
    }

    @Test
    void a_pod_that_is_gone_or_replaced_has_vanished() {
        Pod successor = TestPods.parse("{'metadata': {'namespace': 'default', 'name': 'web', 'uid': 'u-2'}}");

        assertThat(wish(Snapshot.EMPTY)).isEqualTo(new Wish.Vanish(Exposure.NONE));
        assertThat(wish(Snapshot.EMPTY.with(successor))).isEqualTo(new Wish.Vanish(Exposure.NONE));
    }

    @Test
    void a_leaving_pod_is_to_leave_however_it_is_offered() {
        Pod leaving = TestPods.leaving(30);
        Snapshot snapshot = Snapshot.EMPTY.with(leaving);

        assertThat(wish(snapshot)).isEqualTo(new Wish.Leave(leaving, Exposure.NONE));
        assertThat(wish(snapshot.with(slice("u-1")))).isEqualTo(new Wish.Leave(leaving, Exposure.OFFERED));
        assertThat(wish(snapshot.with(slice("u-2")))).isEqualTo(new Wish.Leave(leaving, Exposure.NONE));
        assertThat(wish(Snapshot.EMPTY.with(slice("u-1")))).isEqualTo(new Wish.Vanish(Exposure.OFFERED));
    }

    private Wish wish(Snapshot snapshot) {
        return Wish.of(snapshot, pod.key(), pod.metadata().uid(), Revision.ZERO);
    }

    private static EndpointSlice slice(String uid) {
        return EndpointSlice.of(Json.parse("""
            {'metadata': {'namespace': 'default', 'name': 'web-x'},
             'endpoints': [{'addresses': ['10.1.0.2'], 'targetRef': {'uid': '%s'}}]}\
            """.formatted(uid).replace('\'', '"')));
    }
}
