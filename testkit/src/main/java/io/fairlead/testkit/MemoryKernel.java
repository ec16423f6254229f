package io.fairlead.testkit;

import io.fairlead.api.IpPort;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.testkit.MemoryEntry.Door;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The machine beneath a [MemoryBackend]: it outlives the backend, refuses what does not fit, and can be made to fail.
///
/// Safe for use by several threads.
public final class MemoryKernel {
    private Map<Object, MemoryEntry> entries = Map.of();
    private final Map<Frontend, Map<IpPort, Long>> connections = new HashMap<>();
    private int refusals;
    private int applied;

    /// The next `count` changes are refused.
    public synchronized void refuse(int count) {
        refusals = count;
    }

    /// Another program removes everything.
    public synchronized void flush() {
        entries = Map.of();
        connections.clear();
    }

    /// How many changes were made.
    public synchronized int applied() {
        return applied;
    }

    /// Clients connect `count` times to `frontend`, and `target` gets them.
    public synchronized void connect(Frontend frontend, IpPort target, long count) {
        connections.computeIfAbsent(frontend, _ -> new HashMap<>()).merge(target, count, Long::sum);
    }

    public synchronized Program<MemoryEntry> program() {
        return Program.of(entries.values());
    }

    synchronized void apply(Patch<MemoryEntry> patch) {
        if (refusals > 0) {
            refusals--;
            throw new ApplyException("told to refuse a change of %d entries".formatted(patch.size()));
        }
        Map<Object, MemoryEntry> next = new HashMap<>(entries);
        patch.removed().forEach(entry -> remove(next, entry));
        patch.changed().forEach(change -> remove(next, change.before()));
        patch.changed().forEach(change -> add(next, change.after()));
        patch.added().forEach(entry -> add(next, entry));
        entries = next;
        // As in a real kernel, a counter dies with the entry that carries it.
        patch.removed().forEach(entry -> connections.remove(entry.key()));
        patch.changed().forEach(change -> connections.remove(change.before().key()));
        applied++;
    }

    synchronized List<ConnectionCount> connections() {
        List<ConnectionCount> counts = new ArrayList<>();
        for (MemoryEntry entry : entries.values()) {
            if (entry instanceof Door door) {
                count(door, connections.getOrDefault(door.row().frontend(), Map.of()), counts);
            }
        }
        return counts;
    }

    private static void count(Door door, Map<IpPort, Long> byTarget, List<ConnectionCount> counts) {
        long sum = byTarget.values().stream().mapToLong(Long::longValue).sum();
        counts.add(new ConnectionCount.ToService(door.key(), door.row().service(), sum));
        byTarget.forEach((target, count) ->
                counts.add(new ConnectionCount.ToTarget(door.key(), door.row().service(), target, count)));
    }

    private static void remove(Map<Object, MemoryEntry> entries, MemoryEntry entry) {
        if (!entries.remove(entry.key(), entry)) {
            throw new ApplyException("cannot remove what is not there: " + entry);
        }
    }

    private static void add(Map<Object, MemoryEntry> entries, MemoryEntry entry) {
        MemoryEntry before = entries.putIfAbsent(entry.key(), entry);
        if (before != null) {
            throw new ApplyException("cannot add %s: there is %s".formatted(entry, before));
        }
    }
}
