package io.fairlead.agent;

import static io.fairlead.agent.TestPods.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.PodPlan.Situation;
import io.fairlead.agent.PodPlan.Step;
import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.Ending;
import io.fairlead.containers.ProbeResults;
import io.fairlead.containers.ProcessId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class StartPlanTest {
    private final Pod pod = TestPods.pod("", """
        , 'initContainers': [{'name': 'setup'}, {'name': 'side', 'restartPolicy': 'Always'}]\
        """);
    private final PodRecord fresh = TestPods.record(pod);

    @Test
    void init_containers_run_one_after_the_other_and_then_the_rest() {
        assertThat(started(fresh, ProbeResults.UNKNOWN)).isEqualTo("setup");
        PodRecord setUp = run(fresh, "setup");
        assertThat(next(pod, setUp, ProbeResults.UNKNOWN)).isEqualTo(new Step.Await(PodPlan.NEVER));
        PodRecord done = end(setUp, "setup", 0);
        assertThat(started(done, ProbeResults.UNKNOWN)).isEqualTo("side");
        PodRecord side = run(done, "side");
        assertThat(next(pod, side, ProbeResults.UNKNOWN))
                .as("it has not started yet")
                .isEqualTo(new Step.Await(PodPlan.NEVER));
        assertThat(started(side, health("side"))).isEqualTo("echo");
        assertThat(StartPlan.isInitialized(side, pod, health("side"))).isTrue();
        assertThat(StartPlan.isInitialized(setUp, pod, health("side"))).isFalse();
    }

    @Test
    void an_init_container_that_fails_comes_back_unless_the_pod_never_restarts() {
        PodRecord failed = end(run(fresh, "setup"), "setup", 1);
        assertThat(started(failed, ProbeResults.UNKNOWN)).isEqualTo("setup");

        Pod never = TestPods.pod("", ", 'restartPolicy': 'Never', 'initContainers': [{'name': 'setup'}]");
        PodRecord over = end(run(TestPods.record(never), "setup"), "setup", 1);
        assertThat(StartPlan.isOver(over, never)).isTrue();
        assertThat(next(never, over, ProbeResults.UNKNOWN)).isEqualTo(new Step.Await(PodPlan.NEVER));
    }

    @Test
    void a_sidecar_is_stopped_when_the_others_are_done() {
        Pod job = TestPods.pod(
                "", ", 'restartPolicy': 'Never', 'initContainers': [{'name': 'side', 'restartPolicy': 'Always'}]");
        PodRecord over = end(run(run(TestPods.record(job), "side"), "echo"), "echo", 0);

        assertThat(next(job, over, health("side"))).isEqualTo(new Step.Stop("side"));
        ProbeResults stopping =
                new ProbeResults(Set.of("side"), Set.of(), Map.of(), Map.of("side", NOW.minusSeconds(31)));
        assertThat(next(job, over, stopping)).isEqualTo(new Step.KillOne("side"));
    }

    @Test
    void an_ephemeral_container_starts_when_a_user_adds_it_and_never_again() {
        Pod watched =
                TestPods.pod("", ", 'initContainers': [{'name': 'setup'}], 'ephemeralContainers': [{'name': 'debug'}]");
        PodRecord before = run(TestPods.record(pod), "setup"); // the record is older than the container
        PodRecord ended = end(run(before, "debug"), "debug", 1);

        assertThat(next(watched, before, ProbeResults.UNKNOWN))
                .as("it waits for no init container")
                .isEqualTo(new Step.Start(watched.spec().ephemeralContainers().getFirst()));
        assertThat(next(watched, ended, ProbeResults.UNKNOWN)).isEqualTo(new Step.Await(PodPlan.NEVER));
        assertThat(StartPlan.isOver(ended, watched)).isFalse();
    }

    @Test
    void a_container_that_fails_its_liveness_probe_is_asked_to_end_and_then_killed() {
        Pod plain = TestPods.pod();
        PodRecord running = TestPods.running(plain);
        Map<String, Duration> failed = Map.of("echo", Duration.ofSeconds(5));

        assertThat(next(plain, running, new ProbeResults(Set.of("echo"), Set.of(), failed, Map.of())))
                .isEqualTo(new Step.Stop("echo"));
        assertThat(next(plain, running, new ProbeResults(Set.of("echo"), Set.of(), failed, Map.of("echo", NOW))))
                .isEqualTo(new Step.Await(NOW.plusSeconds(5)));
        assertThat(next(
                        plain,
                        running,
                        new ProbeResults(Set.of("echo"), Set.of(), failed, Map.of("echo", NOW.minusSeconds(5)))))
                .isEqualTo(new Step.KillOne("echo"));
    }

    @Test
    void an_image_that_is_not_there_is_looked_for_again_later() {
        PodRecord refused =
                TestPods.record(TestPods.pod()).with("echo", c -> c.withoutImage("ErrImagePull", "no", NOW));
        assertThat(next(TestPods.pod(), refused, ProbeResults.UNKNOWN)).isEqualTo(new Step.Await(NOW.plusSeconds(10)));

        PodRecord again = refused.with("echo", c -> c.withoutImage("ErrImagePull", "no", NOW));
        assertThat(next(TestPods.pod(), again, ProbeResults.UNKNOWN)).isEqualTo(new Step.Await(NOW.plusSeconds(20)));
    }

    private String started(PodRecord record, ProbeResults health) {
        return next(pod, record, health) instanceof Step.Start(Pod.Container container) ? container.name() : "nothing";
    }

    private static Step next(Pod pod, PodRecord record, ProbeResults health) {
        return PodPlan.next(new Situation(new DesiredState.Run(pod), record, true, health, NOW));
    }

    private static ProbeResults health(String started) {
        return new ProbeResults(Set.of(started), Set.of(), Map.of(), Map.of());
    }

    private static PodRecord run(PodRecord record, String container) {
        return record.with(container, c -> c.started(new ProcessId(4711, 99), NOW));
    }

    private static PodRecord end(PodRecord record, String container, int code) {
        Instant at = NOW;
        return record.with(container, c -> c.exited((ContainerRecord.State.Running) c.now(), Ending.of(code), at));
    }
}
