package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.iptables.IptablesEntry.Chain;
import io.fairlead.iptables.IptablesEntry.Line;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the lines of `iptables-save` one after the other, and keeps what is ours.
///
/// In a chain of ours everything is ours: a rule that somebody else put there is one too many, and goes. In a chain of
/// others, what leads to a chain of ours is.
final class SavedTables {
    private static final String APPEND = "-A ";

    private final Family family;
    private final Map<Place, List<Rule>> chains = new LinkedHashMap<>();
    private final List<IptablesEntry> jumps = new ArrayList<>();
    private Optional<Table> table = Optional.empty();

    SavedTables(Family family) {
        this.family = family;
    }

    void read(String line) {
        if (line.startsWith("*")) {
            table = Table.find(line.substring(1));
        } else if (line.startsWith(":")) {
            declare(firstWord(line.substring(1)));
        } else if (line.startsWith(APPEND)) {
            append(line.substring(APPEND.length()));
        }
    }

    private void declare(String chain) {
        if (ChainNames.isOurs(chain)) {
            place(chain).ifPresent(place -> chains.put(place, new ArrayList<>()));
        }
    }

    private void append(String text) {
        String chain = firstWord(text);
        Optional<Place> place = place(chain);
        if (place.isEmpty()) {
            return;
        }
        Rule rule = Rule.parse(text.substring(Math.min(chain.length() + 1, text.length())));
        if (ChainNames.isOurs(chain)) {
            chains.computeIfAbsent(place.get(), _ -> new ArrayList<>()).add(rule);
        } else if (ChainNames.isOurs(rule.target())) {
            jumps.add(new Line(place.get(), rule));
        }
    }

    List<IptablesEntry> entries() {
        List<IptablesEntry> entries = new ArrayList<>(jumps);
        chains.forEach((place, rules) -> entries.addAll(entries(place, rules)));
        return entries;
    }

    /// The rules that stand at the end of a shared chain belong to it; all before them are lines.
    private static List<IptablesEntry> entries(Place place, List<Rule> rules) {
        if (!ChainNames.isShared(place.chain())) {
            return List.of(new Chain(place, rules));
        }
        int end = rules.size();
        while (end > 0 && rules.get(end - 1).isLast()) {
            end--;
        }
        List<IptablesEntry> entries = new ArrayList<>();
        entries.add(new Chain(place, rules.subList(end, rules.size())));
        rules.subList(0, end).forEach(rule -> entries.add(new Line(place, rule)));
        return entries;
    }

    private Optional<Place> place(String chain) {
        return table.map(known -> new Place(family, known, chain));
    }

    private static String firstWord(String text) {
        int end = text.indexOf(' ');
        return end < 0 ? text : text.substring(0, end);
    }
}
