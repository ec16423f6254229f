package io.fairlead.agent;

import io.fairlead.agent.PodRecord.Stage;
import io.fairlead.api.Pod;
import io.fairlead.containers.ProbeResults;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What to do next with one pod: a pure function of what is wanted, what is, and what time it is.
///
/// How a pod comes is in [StartPlan], how it goes in [TerminationPlan]. A step that was lost with a killed agent is
/// simply next again.
final class PodPlan {
    /// What a pod gets that was deleted by force: its object, and so its grace period, is gone.
    static final Duration VANISHED_GRACE = Duration.ofSeconds(2);
    /// No step is due before something happens.
    static final Instant NEVER = Instant.MAX;

    private PodPlan() {}

    /// All that the decision depends on; `networkBuilt` is what this agent itself made sure of.
    record Situation(DesiredState desired, PodRecord record, boolean networkBuilt, ProbeResults health, Instant now) {}

    /// The next thing to do.
    sealed interface Step {
        record BuildNetwork() implements Step {}

        record Start(Pod.Container container) implements Step {}

        /// SIGTERM to one container.
        record Stop(String container) implements Step {}

        /// SIGKILL to one container.
        record KillOne(String container) implements Step {}

        /// Remember when the deletion was first seen.
        record MarkLeaving() implements Step {}

        /// Remember that no node leads here any more; its deletion was seen at `since`.
        record MarkWithdrawn(Instant since) implements Step {}

        /// Remember that its containers are asked to end from now on; its deletion was seen at `since`.
        record MarkSignalled(Instant since) implements Step {}

        /// SIGKILL to all that run.
        record Kill() implements Step {}

        /// Take everything away, and then the object in the API.
        record Remove() implements Step {}

        /// Nothing until then, or until something happens.
        record Await(Instant until) implements Step {}
    }

    static Step next(Situation situation) {
        return switch (situation.desired()) {
            case DesiredState.Keep _ -> new Step.Await(NEVER);
            case DesiredState.Run(Pod _)
            when situation.record().stage() instanceof Stage.Evicted ->
                situation.record().isRunning() ? new Step.Kill() : new Step.Await(NEVER);
            case DesiredState.Run(Pod pod) -> StartPlan.next(situation, pod);
            case DesiredState.Terminate(Pod pod, Exposure exposure) ->
                TerminationPlan.next(
                        situation,
                        Duration.ofSeconds(pod.gracePeriodSeconds()),
                        exposure,
                        TerminationPlan.sidecars(pod));
            // Who was a sidecar is gone with the object.
            case DesiredState.Vanish(Exposure exposure) ->
                TerminationPlan.next(situation, VANISHED_GRACE, exposure, List.of());
        };
    }
}
