package io.fairlead.runner;

import io.fairlead.api.NamespacedName;
import io.fairlead.runtime.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/// The objects that wait for a look, first come first served, and when each is due. One that failed waits longer each
/// time.
///
/// It holds each object once at most, so it is never larger than the cluster.
final class WorkQueue {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /// When an object is due; `number` keeps those of one time in their order.
    private record Turn(long due, long number, NamespacedName object) {}

    private final RandomGenerator random;
    private final Map<NamespacedName, Turn> waiting = new HashMap<>();
    private final TreeSet<Turn> turns = // by difference: the clock may overflow
            new TreeSet<>(((Comparator<Turn>) (a, b) -> Long.signum(a.due - b.due)).thenComparingLong(Turn::number));
    private final Map<NamespacedName, Backoff> failing = new HashMap<>();
    private long numbers;

    WorkQueue(RandomGenerator random) {
        this.random = random;
    }

    /// Something about these changed: they are due now, even after a failure.
    void add(Collection<NamespacedName> objects, long now) {
        objects.forEach(object -> wake(object, now));
    }

    /// The object is due then, if not before.
    void wake(NamespacedName object, long time) {
        Turn known = waiting.get(object);
        if (known == null || time - known.due < 0) {
            put(object, time);
        }
    }

    void succeeded(NamespacedName object) {
        failing.remove(object);
    }

    void failed(NamespacedName object, long now) {
        Backoff backoff = failing.computeIfAbsent(object, _ -> new Backoff(FIRST_PAUSE, LONGEST_PAUSE, random));
        put(object, now + backoff.next().toNanos());
    }

    /// Takes out up to `most` that are due.
    List<NamespacedName> takeDue(long now, int most) {
        List<NamespacedName> objects = new ArrayList<>();
        while (objects.size() < most && !turns.isEmpty() && turns.getFirst().due - now <= 0) {
            NamespacedName object = turns.removeFirst().object;
            waiting.remove(object);
            objects.add(object);
        }
        return objects;
    }

    /// How long until something is due; `otherwise` if nothing is before.
    Duration untilDue(long now, Duration otherwise) {
        if (turns.isEmpty()) {
            return otherwise;
        }
        Duration first = Duration.ofNanos(Math.max(0, turns.getFirst().due - now));
        return first.compareTo(otherwise) < 0 ? first : otherwise;
    }

    private void put(NamespacedName object, long due) {
        Turn turn = new Turn(due, numbers++, object);
        Turn old = waiting.put(object, turn);
        if (old != null) {
            turns.remove(old);
        }
        turns.add(turn);
    }
}
