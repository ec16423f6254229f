package io.fairlead.bench;

import io.fairlead.api.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// Holds what writers were answered, what watchers saw and what is there at the end against each other.
record KillVerdict(List<KillWriter> writers, List<KillWatcher> watchers, KillCounter counter, JsonNode end) {
    private static final int MOST_TOLD = 20;

    /// The counts for the CSV; throws if any of them, or what was seen on the way, tells of a fault.
    String line(List<String> seen) {
        List<String> faults = new ArrayList<>(seen);
        int lost = lost(faults);
        int missed = missed(faults);
        int doubled = doubled(faults);
        int miscounted = miscounted(faults);
        if (!faults.isEmpty()) {
            throw new IllegalStateException("%d faults:%n%s"
                    .formatted(
                            faults.size(), String.join("\n", faults.subList(0, Math.min(MOST_TOLD, faults.size())))));
        }
        int answered = writers.stream()
                        .mapToInt(w -> w.answered.size() + w.deleted.size())
                        .sum()
                + counter.raised().size();
        int unanswered = writers.stream().mapToInt(w -> w.unanswered.get()).sum();
        int events = watchers.getFirst().seen().size();
        return "%d,%d,%d,%d,%d,%d,%d,%d,%d,%d"
                .formatted(
                        answered,
                        unanswered,
                        events,
                        watchers.size(),
                        counter.raised().size(),
                        counter.uncertain(),
                        miscounted,
                        lost,
                        missed,
                        doubled);
    }

    /// The counter must stand at the number of answered raises, or higher by the uncertain ones at most.
    private int miscounted(List<String> faults) {
        int least = counter.raised().size();
        int most = least + counter.uncertain();
        List<Integer> counts = Json.list(end, item -> item, "items").stream()
                .filter(item -> Json.text(item, "metadata", "name").equals(KillCounter.NAME))
                .map(KillCounter::count)
                .toList();
        if (counts.size() != 1 || counts.getFirst() < least || counts.getFirst() > most) {
            faults.add("the counter is %s; answered raises %d, uncertain ones %d"
                    .formatted(counts, least, counter.uncertain()));
            return 1;
        }
        return 0;
    }

    /// Answered writes that are not in the history at the revision of their answer.
    private int lost(List<String> faults) {
        Map<Long, String> history = new TreeMap<>();
        Set<String> gone = new HashSet<>();
        for (KillWatcher.Seen seen : watchers.getFirst().seen()) {
            history.put(seen.revision(), seen.type() + " " + seen.name());
            if (seen.type().equals("DELETED")) {
                gone.add(seen.name());
            }
        }
        int before = faults.size();
        counter.raised().forEach((count, revision) -> {
            if (!("MODIFIED " + KillCounter.NAME).equals(history.get(revision))) {
                faults.add("raised to %d at %d, but there is %s".formatted(count, revision, history.get(revision)));
            }
        });
        for (KillWriter writer : writers) {
            writer.answered.forEach((revision, write) -> {
                if (!write.equals(history.get(revision))) {
                    faults.add("answered %d %s, but there is %s".formatted(revision, write, history.get(revision)));
                }
            });
            writer.refused.forEach((name, code) -> {
                if (history.containsValue("ADDED " + name)) {
                    faults.add("%s was refused with %d, and is there".formatted(name, code));
                }
            });
            writer.deleted.keySet().stream()
                    .filter(name -> !gone.contains(name))
                    .forEach(name -> faults.add("the delete of %s was answered, and no watch saw it".formatted(name)));
        }
        return faults.size() - before;
    }

    /// What a watcher believes is there, from its events alone, against what is there.
    private int missed(List<String> faults) {
        Map<String, Long> there = new HashMap<>();
        Json.list(end, item -> item, "items")
                .forEach(item -> there.put(
                        Json.text(item, "metadata", "name"),
                        Long.valueOf(Json.text(item, "metadata", "resourceVersion"))));
        there.remove("kubernetes");
        int before = faults.size();
        for (KillWatcher watcher : watchers) {
            Map<String, Long> believed = new HashMap<>();
            for (KillWatcher.Seen seen : List.copyOf(watcher.seen())) {
                believed.remove(seen.name());
                if (!seen.type().equals("DELETED")) {
                    believed.put(seen.name(), seen.revision());
                }
            }
            believed.remove("kubernetes");
            if (!believed.equals(there)) {
                faults.add("a watcher believes in %d Services, there are %d".formatted(believed.size(), there.size()));
            }
            if (!watcher.seen().equals(watchers.getFirst().seen())) {
                faults.add("two watchers saw different histories");
            }
        }
        return faults.size() - before;
    }

    /// Events at a revision that is not later than that of the one before.
    private int doubled(List<String> faults) {
        int before = faults.size();
        for (KillWatcher watcher : watchers) {
            long last = 0;
            for (KillWatcher.Seen seen : watcher.seen()) {
                if (seen.revision() <= last) {
                    faults.add("%s came after revision %d".formatted(seen, last));
                }
                last = seen.revision();
            }
        }
        return faults.size() - before;
    }
}
