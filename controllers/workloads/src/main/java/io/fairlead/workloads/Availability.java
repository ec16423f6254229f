package io.fairlead.workloads;

import io.fairlead.api.Pod;
import io.fairlead.runner.Moment;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// Whether pods are available: ready for so long that they may be relied upon.
record Availability(int minReadySeconds, Moment moment) {

    boolean isAvailable(Pod pod) {
        return pod.status().ready() && !left(pod).isPositive();
    }

    int count(Collection<Pod> pods) {
        return (int) pods.stream().filter(this::isAvailable).count();
    }

    /// When the next of the pods that are ready will be available.
    Optional<Duration> next(Collection<Pod> pods) {
        return pods.stream()
                .filter(pod -> pod.status().ready())
                .map(this::left)
                .filter(Duration::isPositive)
                .min(Comparator.naturalOrder());
    }

    private Duration left(Pod pod) {
        return Duration.ofSeconds(minReadySeconds)
                .minus(
                        minReadySeconds == 0
                                ? Duration.ZERO
                                : moment.since(pod.status().readyChanged()));
    }
}
