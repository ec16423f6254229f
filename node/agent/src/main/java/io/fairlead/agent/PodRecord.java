package io.fairlead.agent;

import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.containers.ContainerRecord;
import io.fairlead.containers.PodNames;
import io.fairlead.containers.ProcessId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// What this node did for one pod: all that an agent must know to go on where another was killed.
///
/// `addresses` is empty until the pod's network is first built.
record PodRecord(
        NamespacedName key,
        String uid,
        PodNames names,
        List<Ip> addresses,
        Instant startTime,
        Stage stage,
        List<ContainerRecord> containers) {

    PodRecord {
        addresses = List.copyOf(addresses);
        containers = List.copyOf(containers);
    }

    /// How far the pod is on its way out.
    sealed interface Stage {
        record Staying() implements Stage {}

        /// It used more of the node than it may: its containers end, and do not come back.
        record Evicted(String reason) implements Stage {}

        /// Its deletion was seen, and its endpoints are about to go.
        record Leaving(Instant since) implements Stage {}

        /// At `at` no node led to it any more; `since` is still the moment its deletion was seen.
        record Withdrawn(Instant since, Instant at) implements Stage {}

        /// Its processes were asked to end; `since` is still the moment its deletion was seen.
        record Signalled(Instant since) implements Stage {}
    }

    static PodRecord of(Pod pod, PodNames names, Instant now) {
        return new PodRecord(
                pod.key(),
                pod.metadata().uid(),
                names,
                List.of(),
                now,
                new Stage.Staying(),
                Stream.concat(pod.spec().initContainers().stream(), pod.spec().containers().stream())
                        .map(container -> ContainerRecord.of(container.name()))
                        .toList());
    }

    PodRecord withAddresses(List<Ip> addresses) {
        return new PodRecord(key, uid, names, addresses, startTime, stage, containers);
    }

    PodRecord withStage(Stage stage) {
        return new PodRecord(key, uid, names, addresses, startTime, stage, containers);
    }

    /// With one container changed; one that the pod did not have before is added.
    PodRecord with(String container, UnaryOperator<ContainerRecord> change) {
        boolean known = find(container).isPresent();
        Stream<ContainerRecord> all = known
                ? containers.stream()
                : Stream.concat(containers.stream(), Stream.of(ContainerRecord.of(container)));
        List<ContainerRecord> changed =
                all.map(c -> c.name().equals(container) ? change.apply(c) : c).toList();
        return new PodRecord(key, uid, names, addresses, startTime, stage, changed);
    }

    Optional<ContainerRecord> find(String container) {
        return containers.stream().filter(c -> c.name().equals(container)).findFirst();
    }

    /// The processes of the containers that run.
    Stream<ProcessId> processes() {
        return containers.stream()
                .flatMap(c -> c.now() instanceof ContainerRecord.State.Running running
                        ? Stream.of(running.process())
                        : Stream.empty());
    }

    boolean isRunning() {
        return containers.stream().anyMatch(ContainerRecord::isRunning);
    }
}
