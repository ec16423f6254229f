package io.fairlead.ipvs;

import io.fairlead.api.Family;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.ipvs.Spot.Table;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.KernelException;
import io.fairlead.kernel.LegacyTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Our rules as `iptables-save` tells them; told again only where the packet filter may hold others by now.
///
/// The old packet filter tells how large its tables are, at once and without a process: as long as they are, so are the
/// rules. The new one is asked each time.
final class RulesReader {
    private record Told(List<LegacyTable> sizes, List<IpvsEntry> rules) {}

    private final Map<Family, Told> told = new EnumMap<>(Family.class);
    private Optional<Boolean> old = Optional.empty();

    List<IpvsEntry> rules(Family family) {
        Optional<List<LegacyTable>> sizes = sizes(family);
        Told before = told.get(family);
        if (before != null && sizes.filter(before.sizes()::equals).isPresent()) {
            return before.rules();
        }
        List<IpvsEntry> rules = RuleText.parse(family, run(tool(family, "-save")));
        sizes.ifPresent(now -> told.put(family, new Told(now, rules)));
        return rules;
    }

    /// They are about to change.
    void forget(Family family) {
        told.remove(family);
    }

    static String tool(Family family, String suffix) {
        return (family == Family.IPV4 ? "iptables" : "ip6tables") + suffix;
    }

    private Optional<List<LegacyTable>> sizes(Family family) {
        if (old.isEmpty()) {
            old = Optional.of(run("iptables --version").contains("legacy"));
        }
        if (!old.get()) {
            return Optional.empty();
        }
        List<LegacyTable> sizes = new ArrayList<>();
        try {
            for (Table table : Table.values()) {
                sizes.add(
                        family == Family.IPV4
                                ? LegacyTable.ofIpv4(table.toString())
                                : LegacyTable.ofIpv6(table.toString()));
            }
        } catch (KernelException e) {
            return Optional.empty();
        }
        return Optional.of(sizes);
    }

    private static String run(String command) {
        Command.Result result = Command.run(List.of(command.split(" ", -1)), "");
        if (!result.succeeded()) {
            throw new ApplyException("%s does not tell what is there: %s".formatted(command, result.errors()));
        }
        return result.output();
    }
}
