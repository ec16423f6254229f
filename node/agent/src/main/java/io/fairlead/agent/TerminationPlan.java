package io.fairlead.agent;

import io.fairlead.agent.PodPlan.Situation;
import io.fairlead.agent.PodPlan.Step;
import io.fairlead.agent.PodRecord.Stage;
import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What to do next with a pod that goes. Pure.
///
/// Wait until no node leads clients to it; ask its containers to end, the sidecars after those they serve; kill what
/// still runs after the grace period; take away the rest.
final class TerminationPlan {
    /// How long a connection may have been on its way, and its request may take, when the last node let go of the pod.
    static final Duration SETTLING = Duration.ofMillis(500);

    private TerminationPlan() {}

    /// `sidecars` are named in the order in which they were started.
    static Step next(Situation situation, Duration grace, Exposure exposure, List<String> sidecars) {
        if (!situation.record().isRunning()) {
            return new Step.Remove();
        }
        Instant now = situation.now();
        return switch (situation.record().stage()) {
            case Stage.Staying _, Stage.Evicted _ -> new Step.MarkLeaving();
            case Stage.Leaving(Instant since) ->
                switch (exposure) {
                    case NONE -> new Step.MarkSignalled(since);
                    case OFFERED -> orAwait(new Step.MarkSignalled(since), signalTime(since, grace), now);
                    case WITHDRAWN -> new Step.MarkWithdrawn(since);
                };
            case Stage.Withdrawn(Instant since, Instant at) -> {
                Instant settled = at.plus(SETTLING);
                Instant latest = signalTime(since, grace);
                yield orAwait(new Step.MarkSignalled(since), settled.isBefore(latest) ? settled : latest, now);
            }
            case Stage.Signalled(Instant since) ->
                ask(situation, sidecars).orElseGet(() -> orAwait(new Step.Kill(), since.plus(grace), now));
        };
    }

    /// Whom to ask to end now. Asked once more after a crash of the agent is better than never.
    private static Optional<Step> ask(Situation situation, List<String> sidecars) {
        return due(situation.record(), sidecars).stream()
                .filter(name -> !situation.health().stopping().containsKey(name))
                .findFirst()
                .map(Step.Stop::new);
    }

    /// Those whose time it is to end: all but the sidecars, and after them one sidecar at a time, the last one first.
    static List<String> due(PodRecord record, List<String> sidecars) {
        List<String> running = record.containers().stream()
                .filter(ContainerRecord::isRunning)
                .map(ContainerRecord::name)
                .toList();
        List<String> served =
                running.stream().filter(name -> !sidecars.contains(name)).toList();
        return served.isEmpty()
                ? sidecars.reversed().stream()
                        .filter(running::contains)
                        .limit(1)
                        .toList()
                : served;
    }

    static List<String> sidecars(Pod pod) {
        return pod.spec().initContainers().stream()
                .filter(Pod.Container::sidecar)
                .map(Pod.Container::name)
                .toList();
    }

    /// When a pod is signalled at the latest, whichever nodes still lead to it: half of the grace period is its own.
    private static Instant signalTime(Instant since, Duration grace) {
        return since.plus(grace.dividedBy(2));
    }

    private static Step orAwait(Step step, Instant due, Instant now) {
        return now.isBefore(due) ? new Step.Await(due) : step;
    }
}
