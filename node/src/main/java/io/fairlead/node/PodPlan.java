package io.fairlead.node;

import io.fairlead.api.Pod;
import io.fairlead.node.PodRecord.Stage;
import java.time.Duration;
import java.time.Instant;

/// What to do next with one pod: a pure function of what is wanted, what is, and what time it is.
///
/// A pod that comes: network, then its containers. A pod that goes: wait until no node leads clients to it, ask its
/// processes to end, kill them after the grace period, take away the rest. A step that was lost with a killed agent is
/// simply next again.
final class PodPlan {
    /// How long a connection may have been on its way, and its request may take, when the last node let go of the pod.
    static final Duration SETTLING = Duration.ofMillis(500);
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

        /// SIGTERM; its deletion was seen at `since`.
        record Terminate(Instant since) implements Step {}

        /// SIGKILL.
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
                leave(situation, Duration.ofSeconds(pod.gracePeriodSeconds()), exposure);
            case Wish.Vanish(Exposure exposure) -> leave(situation, VANISHED_GRACE, exposure);
        };
    }

    private static Step leave(Situation situation, Duration grace, Exposure exposure) {
        if (!situation.record().isRunning()) {
            return new Step.Remove();
        }
        Instant now = situation.now();
        return switch (situation.record().stage()) {
            case Stage.Staying _ -> new Step.MarkLeaving();
            case Stage.Leaving(Instant since) ->
                switch (exposure) {
                    case NONE -> new Step.Terminate(since);
                    case OFFERED -> orAwait(new Step.Terminate(since), signalTime(since, grace), now);
                    case WITHDRAWN -> new Step.MarkWithdrawn(since);
                };
            case Stage.Withdrawn(Instant since, Instant at) -> {
                Instant settled = at.plus(SETTLING);
                Instant latest = signalTime(since, grace);
                yield orAwait(new Step.Terminate(since), settled.isBefore(latest) ? settled : latest, now);
            }
            case Stage.Signalled(Instant since) -> orAwait(new Step.Kill(), since.plus(grace), now);
        };
    }

    /// When a pod is signalled at the latest, whoever still leads to it: half of the grace period is its own.
    private static Instant signalTime(Instant since, Duration grace) {
        return since.plus(grace.dividedBy(2));
    }

    private static Step orAwait(Step step, Instant due, Instant now) {
        return now.isBefore(due) ? new Step.Await(due) : step;
    }
}
