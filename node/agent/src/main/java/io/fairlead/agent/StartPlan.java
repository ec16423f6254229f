package io.fairlead.agent;

import io.fairlead.agent.PodPlan.Situation;
import io.fairlead.agent.PodPlan.Step;
import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.ContainerRecord.State;
import io.fairlead.containers.ProbeResults;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What to do next with a pod that is to run. Pure.
///
/// Its network; then its init containers one after the other, each to its end, or as a sidecar until it has started;
/// then all others at once. Ephemeral containers as soon as a user adds them. What ends is started again as the pod
/// says; what fails its probes is stopped first.
final class StartPlan {
    private StartPlan() {}

    static Step next(Situation situation, Pod pod) {
        if (!situation.networkBuilt()) {
            return new Step.BuildNetwork();
        }
        Optional<Step> stop = stopUnhealthy(situation, pod);
        if (stop.isPresent()) {
            return stop.get();
        }
        if (isOver(situation.record(), pod)) {
            return stopRest(situation, pod);
        }
        return start(situation, pod);
    }

    private static Step start(Situation situation, Pod pod) {
        Instant earliest = nextLook(situation, pod);
        for (Pod.Container container : startable(situation, pod)) {
            Instant due = dueTime(situation.record(), pod, container);
            if (!due.isAfter(situation.now())) {
                return new Step.Start(container);
            }
            earliest = earlier(due, earliest);
        }
        return new Step.Await(earliest);
    }

    /// Those whose turn it is: ephemeral containers wait for no other, all others for the init containers.
    private static List<Pod.Container> startable(Situation situation, Pod pod) {
        List<Pod.Container> startable = new ArrayList<>(pod.spec().ephemeralContainers());
        for (Pod.Container container : pod.spec().initContainers()) {
            startable.add(container);
            if (!lets(situation, container)) {
                return startable;
            }
        }
        startable.addAll(pod.spec().containers());
        return startable;
    }

    /// True if the containers after this init container may start.
    private static boolean lets(Situation situation, Pod.Container container) {
        return situation
                .record()
                .find(container.name())
                .filter(known -> container.sidecar()
                        ? situation.health().started().contains(known.name()) || known.restarts() > 0
                        : hasSucceeded(known))
                .isPresent();
    }

    /// True when all init containers have done what the others wait for.
    static boolean isInitialized(PodRecord record, Pod pod, ProbeResults health) {
        return pod.spec().initContainers().stream()
                .allMatch(c -> lets(new Situation(new DesiredState.Run(pod), record, true, health, Instant.EPOCH), c));
    }

    /// When a container is to be started: at once, later, or not at all.
    private static Instant dueTime(PodRecord record, Pod pod, Pod.Container container) {
        return record.find(container.name())
                .map(known -> switch (known.now()) {
                    case State.New _ -> Instant.MIN;
                    case State.Refused refused -> refused.retryAt();
                    case State.Running _ -> PodPlan.NEVER;
                    case State.Exited exited -> restartTime(known, exited, pod).orElse(PodPlan.NEVER);
                })
                .orElse(Instant.MIN); // added to the pod since
    }

    /// When a container that ended is started again; nothing if it stays as it is.
    static Optional<Instant> restartTime(ContainerRecord container, State.Exited exited, Pod pod) {
        return restarts(container.name(), exited.exitCode(), pod)
                ? Optional.of(exited.finishedAt().plus(container.restartDelay()))
                : Optional.empty();
    }

    /// A sidecar always comes back, an init container until it succeeds, an ephemeral one never.
    private static boolean restarts(String name, int exitCode, Pod pod) {
        if (pod.spec().ephemeralContainers().stream()
                .anyMatch(container -> container.name().equals(name))) {
            return false;
        }
        Pod.RestartPolicy policy = pod.spec().restartPolicy();
        return pod.spec().initContainers().stream()
                .filter(container -> container.name().equals(name))
                .findFirst()
                .map(init -> init.sidecar() || (exitCode != 0 && policy != Pod.RestartPolicy.NEVER))
                .orElseGet(() -> policy.restartsAfter(exitCode));
    }

    /// True when no container but sidecars will run again: all ended for good, or an init container failed for good.
    static boolean isOver(PodRecord record, Pod pod) {
        boolean initFailed = pod.spec().initContainers().stream()
                .filter(container -> !container.sidecar())
                .anyMatch(container -> isFinal(record, pod, container)
                        && !record.find(container.name())
                                .filter(StartPlan::hasSucceeded)
                                .isPresent());
        return initFailed || pod.spec().containers().stream().allMatch(container -> isFinal(record, pod, container));
    }

    private static boolean isFinal(PodRecord record, Pod pod, Pod.Container container) {
        return record.find(container.name())
                .filter(known -> known.now() instanceof State.Exited exited
                        && restartTime(known, exited, pod).isEmpty())
                .isPresent();
    }

    private static boolean hasSucceeded(ContainerRecord known) {
        return known.now() instanceof State.Exited exited && exited.exitCode() == 0;
    }

    private static Optional<Step> stopUnhealthy(Situation situation, Pod pod) {
        return running(situation.record())
                .filter(name -> situation.health().failed().containsKey(name))
                .flatMap(name -> stopOrKill(situation, pod, name).stream())
                .findFirst();
    }

    /// Sidecars have no container left to serve, and no user needs to look into the pod.
    private static Step stopRest(Situation situation, Pod pod) {
        return TerminationPlan.due(situation.record(), TerminationPlan.sidecars(pod)).stream()
                .flatMap(name -> stopOrKill(situation, pod, name).stream())
                .findFirst()
                .orElseGet(() -> new Step.Await(nextLook(situation, pod)));
    }

    private static Optional<Step> stopOrKill(Situation situation, Pod pod, String name) {
        if (!situation.health().stopping().containsKey(name)) {
            return Optional.of(new Step.Stop(name));
        }
        return situation.now().isBefore(killTime(situation, pod, name))
                ? Optional.empty()
                : Optional.of(new Step.KillOne(name));
    }

    /// The moment at which the first container that is stopping is out of grace.
    private static Instant nextLook(Situation situation, Pod pod) {
        return running(situation.record())
                .filter(name -> situation.health().stopping().containsKey(name))
                .map(name -> killTime(situation, pod, name))
                .min(Instant::compareTo)
                .orElse(PodPlan.NEVER);
    }

    private static Instant killTime(Situation situation, Pod pod, String name) {
        Duration own = situation.health().failed().getOrDefault(name, Duration.ofSeconds(-1));
        Duration grace = own.isNegative() ? Duration.ofSeconds(pod.spec().terminationGracePeriodSeconds()) : own;
        Instant asked = situation.health().stopping().getOrDefault(name, situation.now());
        return asked.plus(grace);
    }

    private static Stream<String> running(PodRecord record) {
        return record.containers().stream().filter(ContainerRecord::isRunning).map(ContainerRecord::name);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
