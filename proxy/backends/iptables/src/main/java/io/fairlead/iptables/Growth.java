package io.fairlead.iptables;

import io.fairlead.forwarding.Patch;
import io.fairlead.iptables.IptablesEntry.Chain;
import io.fairlead.iptables.IptablesEntry.Line;
import io.fairlead.iptables.IptablesEntry.Switch;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// How many rules a patch adds to each table, as the old packet filter counts them; fewer than none where it removes.
record Growth(Map<Slot, Integer> rules) {
    /// The one that begins a chain, and the one that ends it.
    private static final int OF_CHAIN = 2;

    Growth {
        rules = Map.copyOf(rules);
    }

    /// A chain that others use is there before it is added, and stays when it is removed.
    static Growth of(Patch<IptablesEntry> patch, Set<ChainKey> usedByOthers) {
        Map<Slot, Integer> rules = new HashMap<>();
        patch.added().forEach(entry -> count(rules, entry, entry.size() + frame(entry, usedByOthers)));
        patch.removed().forEach(entry -> count(rules, entry, -entry.size() - frame(entry, usedByOthers)));
        patch.changed()
                .forEach(change -> count(
                        rules,
                        change.after(),
                        change.after().size() - change.before().size()));
        return new Growth(rules);
    }

    private static void count(Map<Slot, Integer> rules, IptablesEntry entry, int count) {
        rules.merge(entry.place().slot(), count, Integer::sum);
    }

    private static int frame(IptablesEntry entry, Set<ChainKey> usedByOthers) {
        return switch (entry) {
            case Chain chain -> usedByOthers.contains(chain.place()) ? 0 : OF_CHAIN;
            case Line _, Switch _ -> 0;
        };
    }

    int in(Slot slot) {
        return rules.getOrDefault(slot, 0);
    }
}
