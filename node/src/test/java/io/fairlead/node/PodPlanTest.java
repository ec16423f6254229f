package io.fairlead.node;

import static io.fairlead.node.TestPods.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Pod;
import io.fairlead.node.PodPlan.Situation;
import io.fairlead.node.PodPlan.Step;
import io.fairlead.node.PodRecord.Stage;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class PodPlanTest {
    private final Pod pod = TestPods.pod();
    private final Wish run = new Wish.Run(pod);

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
        assertThat(next(new Wish.Keep(), TestPods.running(pod), false, NOW)).isEqualTo(new Step.Await(PodPlan.NEVER));
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

        assertThat(next(new Wish.Run(job), done, true, NOW)).isEqualTo(new Step.Await(PodPlan.NEVER));
        assertThat(next(new Wish.Run(job), failed, true, NOW)).isInstanceOf(Step.Start.class);
    }

    @Test
    void a_leaving_pod_is_not_touched_while_clients_are_still_led_to_it() {
        Pod leaving = TestPods.leaving(30);
        PodRecord record = TestPods.running(leaving);
        PodRecord marked = record.withStage(new Stage.Leaving(NOW));
        Wish offered = new Wish.Leave(leaving, Exposure.OFFERED);

        assertThat(next(offered, record, true, NOW)).isEqualTo(new Step.MarkLeaving());
        assertThat(next(offered, marked, true, NOW)).isEqualTo(new Step.Await(NOW.plusSeconds(15)));
        assertThat(next(offered, marked, true, NOW.plusSeconds(15))).isEqualTo(new Step.Terminate(NOW));
        assertThat(next(new Wish.Leave(leaving, Exposure.NONE), marked, true, NOW))
                .isEqualTo(new Step.Terminate(NOW));
    }

    @Test
    void what_was_on_its_way_when_the_last_node_let_go_of_a_pod_is_still_answered() {
        Pod leaving = TestPods.leaving(30);
        PodRecord marked = TestPods.running(leaving).withStage(new Stage.Leaving(NOW));
        PodRecord withdrawn = marked.withStage(new Stage.Withdrawn(NOW, NOW.plusSeconds(1)));
        Wish wish = new Wish.Leave(leaving, Exposure.WITHDRAWN);
        Instant settled = NOW.plusSeconds(1).plus(PodPlan.SETTLING);

        assertThat(next(wish, marked, true, NOW)).isEqualTo(new Step.MarkWithdrawn(NOW));
        assertThat(next(wish, withdrawn, true, NOW.plusSeconds(1))).isEqualTo(new Step.Await(settled));
        assertThat(next(wish, withdrawn, true, settled)).isEqualTo(new Step.Terminate(NOW));
    }

    @Test
    void a_pod_without_grace_does_not_wait_for_its_clients() {
        Pod leaving = TestPods.leaving(0);
        PodRecord marked = TestPods.running(leaving).withStage(new Stage.Leaving(NOW));
        PodRecord signalled = marked.withStage(new Stage.Signalled(NOW));
        Wish offered = new Wish.Leave(leaving, Exposure.OFFERED);

        assertThat(next(offered, marked, true, NOW)).isEqualTo(new Step.Terminate(NOW));
        assertThat(next(offered, signalled, true, NOW)).isEqualTo(new Step.Kill());
    }

    @Test
    void a_pod_that_does_not_end_is_killed_after_its_grace_period() {
        Pod leaving = TestPods.leaving(20);
        PodRecord signalled = TestPods.running(leaving).withStage(new Stage.Signalled(NOW));
        Wish wish = new Wish.Leave(leaving, Exposure.NONE);

        assertThat(next(wish, signalled, true, NOW.plusSeconds(19))).isEqualTo(new Step.Await(NOW.plusSeconds(20)));
        assertThat(next(wish, signalled, true, NOW.plusSeconds(20))).isEqualTo(new Step.Kill());
    }

    @Test
    void a_pod_in_which_nothing_runs_is_removed_at_once() {
        Pod leaving = TestPods.leaving(30);
        PodRecord ended = TestPods.exited(TestPods.running(leaving), 0, NOW);

        assertThat(next(new Wish.Leave(leaving, Exposure.OFFERED), ended, true, NOW))
                .isEqualTo(new Step.Remove());
        assertThat(next(new Wish.Leave(leaving, Exposure.OFFERED), TestPods.record(leaving), false, NOW))
                .isEqualTo(new Step.Remove());
    }

    @Test
    void a_pod_that_vanished_gets_a_short_grace() {
        PodRecord signalled = TestPods.running(pod).withStage(new Stage.Signalled(NOW));
        Duration grace = PodPlan.VANISHED_GRACE;

        assertThat(next(new Wish.Vanish(Exposure.NONE), signalled, true, NOW))
                .isEqualTo(new Step.Await(NOW.plus(grace)));
        assertThat(next(new Wish.Vanish(Exposure.NONE), signalled, true, NOW.plus(grace)))
                .isEqualTo(new Step.Kill());
    }

    private static Step next(Wish wish, PodRecord record, boolean networkBuilt, Instant now) {
        return PodPlan.next(new Situation(wish, record, networkBuilt, Health.UNKNOWN, now));
    }
}
