package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Patch;
import io.fairlead.iptables.IptablesEntry.Chain;
import io.fairlead.iptables.IptablesEntry.Line;
import java.util.ArrayList;
import java.util.List;

/// A Patch as what `iptables-restore --noflush` reads, and what `iptables-save` prints as entries. Pure.
final class IptablesText {
    private IptablesText() {}

    /// One transaction: the changes of one table in one family.
    record Section(Family family, Table table, String text) {
        boolean isOfSameTable(Section other) {
            return family == other.family && table == other.table;
        }

        /// A line of the text, counted from 1; empty if there is no such line.
        String line(int number) {
            return text.lines().skip(Math.max(number - 1, 0)).findFirst().orElse("");
        }
    }

    /// The transactions of a patch, in the order in which they are to be made.
    static List<Section> format(Patch<IptablesEntry> unsorted) {
        Patch<IptablesEntry> patch = unsorted.sorted();
        List<Section> sections = new ArrayList<>();
        for (Table table : Table.values()) {
            for (Family family : Family.values()) {
                SectionText text = new SectionText(family, table);
                patch.added().forEach(text::add);
                patch.changed().forEach(change -> text.change(change.before(), change.after()));
                patch.removed().forEach(text::remove);
                if (!text.isEmpty()) {
                    sections.add(new Section(family, table, text.toString()));
                }
            }
        }
        return sections;
    }

    /// What leads back from where a patch leads.
    static Patch<IptablesEntry> inverse(Patch<IptablesEntry> patch) {
        List<Patch.Change<IptablesEntry>> changed = patch.changed().stream()
                .map(change -> new Patch.Change<>(change.after(), change.before()))
                .toList();
        return new Patch<>(patch.removed(), changed, patch.added());
    }

    /// What is ours in the output of `iptables-save`; all else is passed over.
    static List<IptablesEntry> parse(Family family, String saved) {
        SavedTables tables = new SavedTables(family);
        saved.lines().forEach(tables::read);
        return tables.entries();
    }

    /// The text of one section while it grows.
    private static final class SectionText {
        private final Family family;
        private final Table table;
        private final List<String> declared = new ArrayList<>();
        private final List<String> gone = new ArrayList<>();
        private final List<String> rules = new ArrayList<>();
        private final List<String> lines = new ArrayList<>();
        private final List<Chain> removed = new ArrayList<>();

        SectionText(Family family, Table table) {
            this.family = family;
            this.table = table;
        }

        void add(IptablesEntry entry) {
            if (isElsewhere(entry)) {
                return;
            }
            switch (entry) {
                case Chain chain -> write(chain);
                case Line(Place place, Rule rule) -> lines.add("-I %s %s".formatted(place.chain(), rule));
            }
        }

        void change(IptablesEntry before, IptablesEntry after) {
            if (isElsewhere(after) || !(before instanceof Chain old) || !(after instanceof Chain chain)) {
                return; // a line is its own key: it never changes
            }
            if (chain.isShared()) {
                old.rules()
                        .forEach(rule ->
                                gone.add("-D %s %s".formatted(old.place().chain(), rule)));
                append(chain);
            } else {
                write(chain);
            }
        }

        void remove(IptablesEntry entry) {
            if (isElsewhere(entry)) {
                return;
            }
            switch (entry) {
                case Chain chain -> removed.add(chain);
                case Line line -> gone.add("-D %s %s".formatted(line.place().chain(), line.rule()));
            }
        }

        boolean isEmpty() {
            return declared.isEmpty() && gone.isEmpty() && rules.isEmpty() && lines.isEmpty() && removed.isEmpty();
        }

        /// To declare a chain that is there already empties it.
        private void write(Chain chain) {
            declared.add(":%s - [0:0]".formatted(chain.place().chain()));
            append(chain);
        }

        private void append(Chain chain) {
            chain.rules()
                    .forEach(
                            rule -> rules.add("-A %s %s".formatted(chain.place().chain(), rule)));
        }

        private boolean isElsewhere(IptablesEntry entry) {
            return entry.place().family() != family || entry.place().table() != table;
        }

        /// Chains are there before rules lead to them, and go when no rule leads to them any more. Lines are put in
        /// front from last to first, so that they stand in order.
        @Override
        public String toString() {
            List<String> text = new ArrayList<>();
            text.add("*" + table);
            text.addAll(declared);
            text.addAll(gone);
            text.addAll(rules);
            text.addAll(lines.reversed());
            removed.forEach(chain -> text.add("-F " + chain.place().chain()));
            removed.forEach(chain -> text.add("-X " + chain.place().chain()));
            text.add("COMMIT\n");
            return String.join("\n", text);
        }
    }
}
