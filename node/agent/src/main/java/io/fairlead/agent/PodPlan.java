package io.fairlead.agent;

import io.fairlead.api.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What to do next with one pod: a pure function of what is wanted, what is, and what time it is.
///
/// How a pod comes is in [StartPlan], how it goes in [LeavePlan]. A step that was lost with a killed agent is simply
/// next again.
final class PodPlan {
    /// What a pod gets that was deleted by force: its object, and so its grace period, is gone.
    static final Duration VANISHED_GRACE = Duration.ofSeconds(2);
    /// No step is due before something happens.
    static final Instant NEVER = Instant.MAX;

    private PodPlan() {}

    /// All that the decision depends on; `networkBuilt` is what this agent itself made sure of.
    record Situation(Wish wish, PodRecord record, boolean networkBuilt, Health health, Instant now) {}

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
        return switch (situation.wish()) {
            case Wish.Keep _ -> new Step.Await(NEVER);
            case Wish.Run(Pod pod) -> StartPlan.next(situation, pod);
            case Wish.Leave(Pod pod, Exposure exposure) ->
                LeavePlan.next(
                        situation, Duration.ofSeconds(pod.gracePeriodSeconds()), exposure, LeavePlan.sidecars(pod));
            // Who was a sidecar is gone with the object.
            case Wish.Vanish(Exposure exposure) -> LeavePlan.next(situation, VANISHED_GRACE, exposure, List.of());
        };
    }
}
