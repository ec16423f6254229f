package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.iptables.IptablesEntry.Chain;
import io.fairlead.iptables.IptablesEntry.Line;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads the lines of `iptables-save` one after the other, and keeps what is ours.
///
/// In a chain of ours everything is ours: a rule that another program put there is one too many, and goes. In a
/// built-in chain those rules are that we write ourselves. All others are not, wherever they lead: CNI plugins lead to
/// KUBE-MARK-MASQ what is to be masqueraded.
final class SavedTables {
    /// What is ours of a family; and the chains of ours to which rules of others lead, so that they cannot go.
    record Found(List<IptablesEntry> entries, Set<ChainKey> usedByOthers) {
        Found {
            entries = List.copyOf(entries);
            usedByOthers = Set.copyOf(usedByOthers);
        }
    }

    private static final String APPEND = "-A ";
    private static final Set<String> BUILT_IN = Set.of("PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING");
    /// As [Foundation] writes the ways in, and kube-proxy does.
    private static final Pattern WAY_IN =
            Pattern.compile("(-m conntrack --ctstate NEW )?-m comment --comment \"kubernetes [^\"]*\" -j \\S+");

    private final Family family;
    private final Map<ChainKey, List<Rule>> chains = new LinkedHashMap<>();
    private final List<IptablesEntry> waysIn = new ArrayList<>();
    private final Set<ChainKey> usedByOthers = new HashSet<>();
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
        Optional<ChainKey> place = place(chain);
        if (place.isEmpty()) {
            return;
        }
        Rule rule = Rule.parse(text.substring(Math.min(chain.length() + 1, text.length())));
        if (ChainNames.isOurs(chain)) {
            chains.computeIfAbsent(place.get(), _ -> new ArrayList<>()).add(rule);
        } else if (ChainNames.isOurs(rule.target())) {
            if (BUILT_IN.contains(chain) && WAY_IN.matcher(rule.text()).matches()) {
                waysIn.add(new Line(place.get(), rule));
            } else {
                place(rule.target()).ifPresent(usedByOthers::add);
            }
        }
    }

    Found found() {
        List<IptablesEntry> entries = new ArrayList<>(waysIn);
        chains.forEach((place, rules) -> {
            // An empty one that others use is all that is left of what we have taken away.
            if (!rules.isEmpty() || !usedByOthers.contains(place)) {
                entries.addAll(entries(place, rules));
            }
        });
        return new Found(entries, usedByOthers);
    }

    /// The rules that stand at the end of a shared chain belong to it; all before them are lines.
    private static List<IptablesEntry> entries(ChainKey place, List<Rule> rules) {
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

    private Optional<ChainKey> place(String chain) {
        return table.map(known -> new ChainKey(family, known, chain));
    }

    private static String firstWord(String text) {
        int end = text.indexOf(' ');
        return end < 0 ? text : text.substring(0, end);
    }
}
