package io.fairlead.ipvs;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Patch;
import io.fairlead.ipvs.IpvsEntry.Chain;
import io.fairlead.ipvs.IpvsEntry.Jump;
import io.fairlead.ipvs.Spot.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Our rules as what `iptables-restore --noflush` reads, and what `iptables-save` prints as entries. Pure.
final class RuleText {
    private static final String COMMENT = "-m comment --comment \"kubernetes ";

    private RuleText() {}

    /// What writes the rules that are added or changed, for one family; empty if there is nothing to do.
    static String additions(Patch<IpvsEntry> patch, Family family) {
        StringBuilder text = new StringBuilder();
        for (Table table : Table.values()) {
            List<Chain> chains = new ArrayList<>();
            List<Jump> jumps = new ArrayList<>();
            patch.added().forEach(entry -> collect(entry, family, table, chains, jumps));
            patch.changed().forEach(change -> collect(change.after(), family, table, chains, jumps));
            List<String> lines = new ArrayList<>();
            chains.forEach(
                    chain -> lines.add(":%s - [0:0]".formatted(chain.spot().chain())));
            chains.forEach(chain -> chain.rules()
                    .forEach(rule -> lines.add("-A %s %s".formatted(chain.spot().chain(), rule))));
            jumps.forEach(jump -> lines.add("-I %s %s".formatted(jump.spot().chain(), jump.rule())));
            append(text, table, lines);
        }
        return text.toString();
    }

    /// What takes away the rules that are removed.
    static String removals(Patch<IpvsEntry> patch, Family family) {
        StringBuilder text = new StringBuilder();
        for (Table table : Table.values()) {
            List<Chain> chains = new ArrayList<>();
            List<Jump> jumps = new ArrayList<>();
            patch.removed().forEach(entry -> collect(entry, family, table, chains, jumps));
            List<String> lines = new ArrayList<>();
            jumps.forEach(jump -> lines.add("-D %s %s".formatted(jump.spot().chain(), jump.rule())));
            chains.forEach(chain -> lines.add("-F " + chain.spot().chain()));
            chains.forEach(chain -> lines.add("-X " + chain.spot().chain()));
            append(text, table, lines);
        }
        return text.toString();
    }

    private static void collect(IpvsEntry entry, Family family, Table table, List<Chain> chains, List<Jump> jumps) {
        if (entry instanceof Chain chain && isOf(chain.spot(), family, table)) {
            chains.add(chain);
        } else if (entry instanceof Jump jump && isOf(jump.spot(), family, table)) {
            jumps.add(jump);
        }
    }

    private static boolean isOf(Spot spot, Family family, Table table) {
        return spot.family() == family && spot.table() == table;
    }

    private static void append(StringBuilder text, Table table, List<String> lines) {
        if (!lines.isEmpty()) {
            text.append('*').append(table).append('\n');
            lines.forEach(line -> text.append(line).append('\n'));
            text.append("COMMIT\n");
        }
    }

    /// What is ours in the output of `iptables-save`; all else is passed over.
    static List<IpvsEntry> parse(Family family, String saved) {
        Map<Spot, List<String>> chains = new LinkedHashMap<>();
        List<IpvsEntry> entries = new ArrayList<>();
        Optional<Table> table = Optional.empty();
        for (String line : saved.lines().toList()) {
            if (line.startsWith("*")) {
                table = Arrays.stream(Table.values())
                        .filter(known -> known.toString().equals(line.substring(1)))
                        .findFirst();
            } else if (table.isPresent() && (line.startsWith(":") || line.startsWith("-A "))) {
                String words = line.substring(line.startsWith(":") ? 1 : 3);
                String chain = words.substring(0, words.indexOf(' '));
                Spot spot = new Spot(family, table.get(), chain);
                String rule = words.substring(chain.length() + 1);
                if (isOurs(chain)) {
                    List<String> rules = chains.computeIfAbsent(spot, _ -> new ArrayList<>());
                    if (line.startsWith("-A ")) {
                        rules.add(rule);
                    }
                } else if (line.startsWith("-A ") && rule.contains(COMMENT) && isOurs(target(rule))) {
                    entries.add(new Jump(spot, rule));
                }
            }
        }
        chains.forEach((spot, rules) -> entries.add(new Chain(spot, rules)));
        return entries;
    }

    private static boolean isOurs(String chain) {
        return chain.startsWith(Foundation.PREFIX);
    }

    private static String target(String rule) {
        return rule.substring(rule.lastIndexOf(' ') + 1);
    }
}
