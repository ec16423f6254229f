package io.fairlead.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Kind;
import io.fairlead.yaml.Yaml;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The words are those of kubectl.
final class RolloutStateTest {
    @Test
    void a_deployment_that_takes_too_long_has_failed() {
        RolloutState state = RolloutState.of(Kind.DEPLOYMENT, object("""
            {observedGeneration: 1, conditions: [{type: Progressing, reason: ProgressDeadlineExceeded}]}\
            """));
        assertThat(state)
                .isEqualTo(new RolloutState("error: deployment \"web\" exceeded its progress deadline", true, true));
    }

    @Test
    void a_daemon_set_is_done_when_every_node_has_an_updated_pod() {
        assertThat(daemonSet("{}")).isEqualTo("Waiting for daemon set spec update to be observed...");
        assertThat(daemonSet("{observedGeneration: 1, desiredNumberScheduled: 3, updatedNumberScheduled: 1}"))
                .isEqualTo(
                        "Waiting for daemon set \"web\" rollout to finish: 1 out of 3 new pods have been updated...");
        assertThat(daemonSet("{observedGeneration: 1, desiredNumberScheduled: 3, updatedNumberScheduled: 3, "
                        + "numberAvailable: 2}"))
                .isEqualTo("Waiting for daemon set \"web\" rollout to finish: 2 of 3 updated pods are available...");
        RolloutState done = RolloutState.of(
                Kind.DAEMON_SET,
                object("{observedGeneration: 1, desiredNumberScheduled: 3, updatedNumberScheduled: 3, "
                        + "numberAvailable: 3}"));
        assertThat(done).isEqualTo(new RolloutState("daemon set \"web\" successfully rolled out", true, false));
    }

    @Test
    void a_stateful_set_is_done_when_its_revisions_are_one() {
        assertThat(statefulSet("{}").line()).isEqualTo("Waiting for statefulset spec update to be observed...");
        assertThat(statefulSet("{observedGeneration: 1, readyReplicas: 1}").line())
                .isEqualTo("Waiting for 1 pods to be ready...");
        String ready = "{observedGeneration: 1, readyReplicas: 2, updatedReplicas: 1, currentReplicas: 2, "
                + "updateRevision: b, currentRevision: %s}";
        assertThat(statefulSet(ready.formatted("a")))
                .isEqualTo(new RolloutState(
                        "waiting for statefulset rolling update to complete 1 pods at revision b...", false, false));
        assertThat(statefulSet(ready.formatted("b")))
                .isEqualTo(
                        new RolloutState("statefulset rolling update complete 2 pods at revision b...", true, false));
    }

    private static RolloutState statefulSet(String status) {
        return RolloutState.of(Kind.STATEFUL_SET, object(status));
    }

    private static String daemonSet(String status) {
        return RolloutState.of(Kind.DAEMON_SET, object(status)).line();
    }

    private static JsonNode object(String status) {
        return Yaml.parseAll(
                        "{metadata: {name: web, generation: 1}, spec: {replicas: 2}, status: %s}".formatted(status))
                .getFirst();
    }
}
