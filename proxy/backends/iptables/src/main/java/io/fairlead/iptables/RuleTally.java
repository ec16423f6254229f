package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Patch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Counts the rules that stand in each table, change by change, so that the metrics need not list them; any thread may
/// ask.
final class RuleTally {
    private final List<Family> families;
    private final Map<Slot, Long> held = new HashMap<>();
    private final Map<Slot, Long> written = new HashMap<>();

    RuleTally(List<Family> families) {
        this.families = families;
    }

    /// These were found, and nothing else.
    synchronized void found(Collection<IptablesEntry> entries) {
        held.clear();
        entries.forEach(entry -> add(held, entry, 1));
    }

    synchronized void applied(Patch<IptablesEntry> patch) {
        written.clear();
        patch.added().forEach(this::write);
        patch.changed().forEach(change -> {
            add(held, change.before(), -1);
            write(change.after());
        });
        patch.removed().forEach(entry -> add(held, entry, -1));
    }

    private void write(IptablesEntry entry) {
        add(held, entry, 1);
        add(written, entry, 1);
    }

    private static void add(Map<Slot, Long> counts, IptablesEntry entry, long sign) {
        counts.merge(entry.place().slot(), sign * entry.size(), Long::sum);
    }

    synchronized List<TableRules> rules() {
        List<TableRules> rules = new ArrayList<>();
        for (Family family : families) {
            for (Table table : Table.values()) {
                Slot slot = new Slot(family, table);
                rules.add(new TableRules(
                        family, table.toString(), held.getOrDefault(slot, 0L), written.getOrDefault(slot, 0L)));
            }
        }
        return rules;
    }
}
