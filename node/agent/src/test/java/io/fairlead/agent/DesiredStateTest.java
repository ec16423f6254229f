package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.api.Revision;
import io.fairlead.api.Snapshot;
import org.junit.jupiter.api.Test;

final class DesiredStateTest {
    private final Pod pod = TestPods.pod();

    @Test
    void a_pod_in_the_api_is_to_run() {
        assertThat(desired(Snapshot.EMPTY.with(pod))).isEqualTo(new DesiredState.Run(pod));
    }

    @Test
    void a_pod_that_is_gone_or_replaced_has_vanished() {
        Pod successor = TestPods.parse("{'metadata': {'namespace': 'default', 'name': 'web', 'uid': 'u-2'}}");

        assertThat(desired(Snapshot.EMPTY)).isEqualTo(new DesiredState.Vanish(Exposure.NONE));
        assertThat(desired(Snapshot.EMPTY.with(successor))).isEqualTo(new DesiredState.Vanish(Exposure.NONE));
    }

    @Test
    void a_leaving_pod_is_to_leave_however_it_is_offered() {
        Pod leaving = TestPods.leaving(30);
        Snapshot snapshot = Snapshot.EMPTY.with(leaving);

        assertThat(desired(snapshot)).isEqualTo(new DesiredState.Terminate(leaving, Exposure.NONE));
        assertThat(desired(snapshot.with(slice("u-1"))))
                .isEqualTo(new DesiredState.Terminate(leaving, Exposure.OFFERED));
        assertThat(desired(snapshot.with(slice("u-2")))).isEqualTo(new DesiredState.Terminate(leaving, Exposure.NONE));
        assertThat(desired(Snapshot.EMPTY.with(slice("u-1")))).isEqualTo(new DesiredState.Vanish(Exposure.OFFERED));
    }

    private DesiredState desired(Snapshot snapshot) {
        return DesiredState.of(snapshot, pod.key(), pod.metadata().uid(), Revision.ZERO);
    }

    private static EndpointSlice slice(String uid) {
        return EndpointSlice.of(Json.parse("""
            {'metadata': {'namespace': 'default', 'name': 'web-x'},
             'endpoints': [{'addresses': ['10.1.0.2'], 'targetRef': {'uid': '%s'}}]}\
            """.formatted(uid).replace('\'', '"')));
    }
}
