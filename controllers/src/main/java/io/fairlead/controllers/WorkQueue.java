package io.fairlead.controllers;

import io.fairlead.api.NamespacedName;
import io.fairlead.runtime.Backoff;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// The objects that wait for a look, first come first served, and when each is due. One that failed waits longer each
/// time.
///
/// It holds each object once at most, so it is never larger than the cluster.
final class WorkQueue {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final RandomGenerator random;
    private final Map<NamespacedName, Long> due = new LinkedHashMap<>();
    private final Map<NamespacedName, Backoff> failing = new HashMap<>();

    WorkQueue(RandomGenerator random) {
        this.random = random;
    }

    /// Something about these changed: they are due now, even after a failure.
    void add(Collection<NamespacedName> objects, long now) {
        objects.forEach(object -> due.put(object, now));
    }

    void succeeded(NamespacedName object) {
        failing.remove(object);
    }

    void failed(NamespacedName object, long now) {
        Backoff backoff = failing.computeIfAbsent(object, _ -> new Backoff(FIRST_PAUSE, LONGEST_PAUSE, random));
        due.put(object, now + backoff.next().toNanos());
    }

    /// Takes out up to `most` that are due.
    List<NamespacedName> takeDue(long now, int most) {
        List<NamespacedName> objects = due.entrySet().stream()
                .filter(entry -> entry.getValue() - now <= 0)
                .map(Map.Entry::getKey)
                .limit(most)
                .toList();
        objects.forEach(due::remove);
        return objects;
    }

    /// How long until something is due; `otherwise` if nothing waits.
    Duration untilDue(long now, Duration otherwise) {
        return due.values().stream()
                .map(time -> Duration.ofNanos(Math.max(0, time - now)))
                .min(Duration::compareTo)
                .filter(time -> time.compareTo(otherwise) < 0)
                .orElse(otherwise);
    }
}
