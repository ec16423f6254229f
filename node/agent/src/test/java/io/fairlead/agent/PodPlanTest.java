package io.fairlead.agent;

import static io.fairlead.agent.TestPods.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.PodPlan.Situation;
import io.fairlead.agent.PodPlan.Step;
import io.fairlead.api.Pod;
import io.fairlead.containers.ProbeResults;
import io.fairlead.containers.ProcessId;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class PodPlanTest {
    private final Pod pod = TestPods.pod();
    private final DesiredState run = new DesiredState.Run(pod);

    @Test
    void a_new_pod_gets_its_network_and_then_its_containers() {
        PodRecord fresh = TestPods.record(pod);

        assertThat(next(run, fresh, false, NOW)).isEqualTo(new Step.BuildNetwork());
        assertThat(next(run, fresh, true, NOW))
                .isEqualTo(new Step.Start(pod.spec().containers().getFirst()));
        assertThat(next(run, TestPods.running(pod), true, NOW)).isEqualTo(new Step.Await(PodPlan.NEVER));
    }

    @Test
    void an_adopted_pod_has_its_network_looked_after_first() {
        assertThat(next(run, TestPods.running(pod), false, NOW)).isEqualTo(new Step.BuildNetwork());
    }

    @Test
    void nothing_is_done_before_the_cluster_has_said_anything() {
        assertThat(next(new DesiredState.Keep(), TestPods.running(pod), false, NOW))
                .isEqualTo(new Step.Await(PodPlan.NEVER));
    }

    @Test
    void the_first_crash_is_made_good_at_once_and_the_next_ones_wait() {
        PodRecord once = TestPods.exited(TestPods.running(pod), 1, NOW);
        PodRecord twice = TestPods.exited(once.with("echo", c -> c.started(new ProcessId(4712, 100), NOW)), 1, NOW);

        assertThat(next(run, once, true, NOW)).isInstanceOf(Step.Start.class);
        assertThat(next(run, twice, true, NOW)).isEqualTo(new Step.Await(NOW.plusSeconds(10)));
        assertThat(next(run, twice, true, NOW.plusSeconds(10))).isInstanceOf(Step.Start.class);
    }

    @Test
    void a_container_that_may_not_restart_stays_as_it_ended() {
        Pod job = TestPods.pod("", ", 'restartPolicy': 'OnFailure'");
        PodRecord done = TestPods.exited(TestPods.running(job), 0, NOW);
        PodRecord failed = TestPods.exited(TestPods.running(job), 1, NOW);

        assertThat(next(new DesiredState.Run(job), done, true, NOW)).isEqualTo(new Step.Await(PodPlan.NEVER));
        assertThat(next(new DesiredState.Run(job), failed, true, NOW)).isInstanceOf(Step.Start.class);
    }

    private static Step next(DesiredState desired, PodRecord record, boolean networkBuilt, Instant now) {
        return PodPlan.next(new Situation(desired, record, networkBuilt, ProbeResults.UNKNOWN, now));
    }
}
