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
record KillVerdict(List<KillWriter> writers, List<KillWatcher> watchers, JsonNode end) {

    /// The counts for the CSV; throws if any of them tells of a fault.
    String line() {
        List<String> faults = new ArrayList<>();
        int lost = lost(faults);
        int missed = missed(faults);
        int doubled = doubled(faults);
        if (!faults.isEmpty()) {
            throw new IllegalStateException(String.join("\n", faults));
        }
        int answered = writers.stream()
                .mapToInt(w -> w.answered.size() + w.deleted.size())
                .sum();
        int unanswered = writers.stream().mapToInt(w -> w.unanswered.get()).sum();
        int events = watchers.getFirst().seen().size();
        return "%d,%d,%d,%d,%d,%d,%d".formatted(answered, unanswered, events, watchers.size(), lost, missed, doubled);
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
        for (KillWriter writer : writers) {
            writer.answered.forEach((revision, write) -> {
                if (!write.equals(history.get(revision))) {
                    faults.add("answered %d %s, but there is %s".formatted(revision, write, history.get(revision)));
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
