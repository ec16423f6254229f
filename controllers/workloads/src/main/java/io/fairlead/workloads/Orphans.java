package io.fairlead.workloads;

import io.fairlead.api.LabelSelector.Operator;
import io.fairlead.api.LabelSelector.Requirement;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import io.fairlead.api.Pod;
import io.fairlead.api.ReplicaSet;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Lookup;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Pods that nothing controls and that a ReplicaSet selects: it takes them for its own.
final class Orphans {
    private Orphans() {}

    /// Those that `set` is to take; a set that is about to go takes none.
    static List<Pod> of(ReplicaSet set, Snapshot now) {
        if (set.metadata().isTerminating()) {
            return List.of();
        }
        return candidates(set, now)
                .filter(pod ->
                        isOrphan(pod) && set.selector().matches(pod.metadata().labels()))
                .toList();
    }

    /// The sets that may take a pod that changed.
    static Set<NamespacedName> adopters(Snapshot before, Snapshot now, PersistentMap<NamespacedName, ReplicaSet> sets) {
        Set<NamespacedName> adopters = new TreeSet<>();
        Lookup.changes(
                before.pods(),
                now.pods(),
                (_, fresh) -> fresh.filter(Orphans::isOrphan)
                        .ifPresent(pod -> adopters(pod, sets).forEach(adopters::add)));
        return adopters;
    }

    private static Stream<NamespacedName> adopters(Pod pod, PersistentMap<NamespacedName, ReplicaSet> sets) {
        return sets.values()
                .filter(set -> set.key().namespace().equals(pod.key().namespace())
                        && set.selector().matches(pod.metadata().labels()))
                .map(ReplicaSet::key);
    }

    private static boolean isOrphan(Pod pod) {
        return pod.metadata().controller().isEmpty()
                && !pod.metadata().isTerminating()
                && !pod.status().isOver();
    }

    /// Found by their labels; a selector that names no value has to look at every pod of its namespace.
    private static Stream<Pod> candidates(ReplicaSet set, Snapshot now) {
        String namespace = set.key().namespace();
        Map<String, String> labels = set.selector().requirements().stream()
                .filter(wanted ->
                        wanted.operator() == Operator.IN && wanted.values().size() == 1)
                .collect(Collectors.toMap(
                        Requirement::key, wanted -> wanted.values().getFirst(), (one, _) -> one));
        return labels.isEmpty()
                ? now.pods().values().filter(pod -> pod.key().namespace().equals(namespace))
                : now.podsSelectedBy(namespace, labels).stream();
    }
}
