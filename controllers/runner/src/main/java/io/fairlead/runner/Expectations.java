package io.fairlead.runner;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The objects whose last writes no Snapshot has shown yet. They are left alone until one does: a controller that
/// acts on a Snapshot older than his own writes does everything twice.
final class Expectations {
    private final Map<NamespacedName, List<Expectation>> waiting = new HashMap<>();

    void add(NamespacedName object, List<Expectation> sightings) {
        if (!sightings.isEmpty()) {
            waiting.computeIfAbsent(object, _ -> new ArrayList<>()).addAll(sightings);
        }
    }

    boolean isWaiting(NamespacedName object) {
        return waiting.containsKey(object);
    }

    /// Takes out the objects whose writes are all in `snapshot`.
    List<NamespacedName> seenIn(Snapshot snapshot) {
        waiting.values().forEach(sightings -> sightings.removeIf(sighting -> sighting.isIn(snapshot)));
        return takeDone();
    }

    /// What was created and is not in the newest Snapshot.
    List<Expectation> created() {
        return waiting.values().stream()
                .flatMap(List::stream)
                .filter(Expectation.Created.class::isInstance)
                .toList();
    }

    /// There is nothing to wait for: the object was deleted again before the watch showed it.
    List<NamespacedName> forget(Expectation sighting) {
        waiting.values().forEach(sightings -> sightings.remove(sighting));
        return takeDone();
    }

    private List<NamespacedName> takeDone() {
        List<NamespacedName> done = waiting.entrySet().stream()
                .filter(entry -> entry.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
        done.forEach(waiting::remove);
        return done;
    }
}
