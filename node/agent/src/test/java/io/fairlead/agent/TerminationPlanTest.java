package io.fairlead.agent;

import static io.fairlead.agent.TestPods.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.PodPlan.Situation;
import io.fairlead.agent.PodPlan.Step;
import io.fairlead.agent.PodRecord.Stage;
import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.Ending;
import io.fairlead.containers.ProbeResults;
import io.fairlead.containers.ProcessId;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TerminationPlanTest {
    private final Pod pod = TestPods.pod();

    @Test
    void a_leaving_pod_is_not_touched_while_clients_are_still_led_to_it() {
        Pod leaving = TestPods.leaving(30);
        PodRecord record = TestPods.running(leaving);
        PodRecord marked = record.withStage(new Stage.Leaving(NOW));
        DesiredState offered = new DesiredState.Terminate(leaving, Exposure.OFFERED);

        assertThat(next(offered, record, NOW)).isEqualTo(new Step.MarkLeaving());
        assertThat(next(offered, marked, NOW)).isEqualTo(new Step.Await(NOW.plusSeconds(15)));
        assertThat(next(offered, marked, NOW.plusSeconds(15))).isEqualTo(new Step.MarkSignalled(NOW));
        assertThat(next(new DesiredState.Terminate(leaving, Exposure.NONE), marked, NOW))
                .isEqualTo(new Step.MarkSignalled(NOW));
    }

    @Test
    void what_was_on_its_way_when_the_last_node_let_go_of_a_pod_is_still_answered() {
        Pod leaving = TestPods.leaving(30);
        PodRecord marked = TestPods.running(leaving).withStage(new Stage.Leaving(NOW));
        PodRecord withdrawn = marked.withStage(new Stage.Withdrawn(NOW, NOW.plusSeconds(1)));
        DesiredState desired = new DesiredState.Terminate(leaving, Exposure.WITHDRAWN);
        Instant settled = NOW.plusSeconds(1).plus(TerminationPlan.SETTLING);

        assertThat(next(desired, marked, NOW)).isEqualTo(new Step.MarkWithdrawn(NOW));
        assertThat(next(desired, withdrawn, NOW.plusSeconds(1))).isEqualTo(new Step.Await(settled));
        assertThat(next(desired, withdrawn, settled)).isEqualTo(new Step.MarkSignalled(NOW));
    }

    @Test
    void a_pod_without_grace_does_not_wait_for_its_clients() {
        Pod leaving = TestPods.leaving(0);
        PodRecord marked = TestPods.running(leaving).withStage(new Stage.Leaving(NOW));
        PodRecord signalled = marked.withStage(new Stage.Signalled(NOW));
        DesiredState offered = new DesiredState.Terminate(leaving, Exposure.OFFERED);

        assertThat(next(offered, marked, NOW)).isEqualTo(new Step.MarkSignalled(NOW));
        assertThat(next(offered, signalled, NOW)).isEqualTo(new Step.Stop("echo"));
        assertThat(next(offered, signalled, NOW, "echo")).isEqualTo(new Step.Kill());
    }

    @Test
    void a_pod_that_does_not_end_is_killed_after_its_grace_period() {
        Pod leaving = TestPods.leaving(20);
        PodRecord signalled = TestPods.running(leaving).withStage(new Stage.Signalled(NOW));
        DesiredState desired = new DesiredState.Terminate(leaving, Exposure.NONE);

        assertThat(next(desired, signalled, NOW)).isEqualTo(new Step.Stop("echo"));
        assertThat(next(desired, signalled, NOW.plusSeconds(19), "echo"))
                .isEqualTo(new Step.Await(NOW.plusSeconds(20)));
        assertThat(next(desired, signalled, NOW.plusSeconds(20), "echo")).isEqualTo(new Step.Kill());
    }

    @Test
    void sidecars_end_after_those_they_serve_one_after_the_other_the_last_one_first() {
        Pod leaving = TestPods.pod(
                ", 'deletionGracePeriodSeconds': 30",
                ", 'initContainers': [{'name': 'one', 'restartPolicy': 'Always'}, {'name': 'two', 'restartPolicy':"
                        + " 'Always'}], 'ephemeralContainers': [{'name': 'debug'}]");
        DesiredState desired = new DesiredState.Terminate(leaving, Exposure.NONE);
        PodRecord all = runs(TestPods.running(leaving).withStage(new Stage.Signalled(NOW)), "one", "two", "debug");

        assertThat(next(desired, all, NOW)).isEqualTo(new Step.Stop("echo"));
        assertThat(next(desired, all, NOW, "echo")).isEqualTo(new Step.Stop("debug"));
        Step.Await untilKilled = new Step.Await(NOW.plusSeconds(30));
        assertThat(next(desired, all, NOW, "echo", "debug")).isEqualTo(untilKilled);
        PodRecord served = ended(all, "echo", "debug");
        assertThat(next(desired, served, NOW)).isEqualTo(new Step.Stop("two"));
        assertThat(next(desired, served, NOW, "two")).isEqualTo(untilKilled);
        assertThat(next(desired, ended(served, "two"), NOW)).isEqualTo(new Step.Stop("one"));
        assertThat(next(desired, all, NOW.plusSeconds(30), "echo", "debug"))
                .as("the grace is that of the pod")
                .isEqualTo(new Step.Kill());
        assertThat(next(desired, ended(served, "two", "one"), NOW)).isEqualTo(new Step.Remove());
    }

    @Test
    void a_pod_in_which_nothing_runs_is_removed_at_once() {
        Pod leaving = TestPods.leaving(30);
        PodRecord ended = TestPods.exited(TestPods.running(leaving), 0, NOW);

        assertThat(next(new DesiredState.Terminate(leaving, Exposure.OFFERED), ended, NOW))
                .isEqualTo(new Step.Remove());
        assertThat(next(new DesiredState.Terminate(leaving, Exposure.OFFERED), TestPods.record(leaving), NOW))
                .isEqualTo(new Step.Remove());
    }

    @Test
    void a_pod_that_vanished_gets_a_short_grace() {
        PodRecord signalled = TestPods.running(pod).withStage(new Stage.Signalled(NOW));
        DesiredState vanished = new DesiredState.Vanish(Exposure.NONE);
        Instant end = NOW.plus(PodPlan.VANISHED_GRACE);

        assertThat(next(vanished, signalled, NOW)).isEqualTo(new Step.Stop("echo"));
        assertThat(next(vanished, signalled, NOW, "echo")).isEqualTo(new Step.Await(end));
        assertThat(next(vanished, signalled, end, "echo")).isEqualTo(new Step.Kill());
    }

    /// The next step, when `asked` were asked to end before.
    private static Step next(DesiredState desired, PodRecord record, Instant now, String... asked) {
        Map<String, Instant> stopping = Stream.of(asked).collect(Collectors.toMap(Function.identity(), _ -> NOW));
        return PodPlan.next(
                new Situation(desired, record, true, new ProbeResults(Set.of(), Set.of(), Map.of(), stopping), now));
    }

    private static PodRecord runs(PodRecord record, String... containers) {
        PodRecord result = record;
        for (String container : containers) {
            result = result.with(container, c -> c.started(new ProcessId(4711, 99), NOW));
        }
        return result;
    }

    private static PodRecord ended(PodRecord record, String... containers) {
        PodRecord result = record;
        for (String container : containers) {
            result = result.with(container, c -> c.exited((ContainerRecord.State.Running) c.now(), Ending.of(0), NOW));
        }
        return result;
    }
}
