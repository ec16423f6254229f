package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.iptables.IptablesText.Section;
import java.util.ArrayList;
import java.util.List;

/// Transactions that ask the packet filter whether it takes rules like ours, and leave no trace: the chain that holds
/// them goes in the transaction that made it. Pure.
final class SupportProbe {
    private static final String CHAIN = "KUBE-PROXY-PROBE";

    private SupportProbe() {}

    static Section section(Family family, Table table, boolean randomFully) {
        return new Section(family, table, List.of(text(table, rules(family, table, randomFully))));
    }

    private static String text(Table table, List<Rule> rules) {
        List<String> text = new ArrayList<>(List.of("*" + table, ":%s - [0:0]".formatted(CHAIN)));
        rules.forEach(rule -> text.add("-A %s %s".formatted(CHAIN, rule)));
        text.addAll(List.of("-F " + CHAIN, "-X " + CHAIN, "COMMIT\n"));
        return String.join("\n", text);
    }

    /// One rule for each module and target that we use.
    private static List<Rule> rules(Family family, Table table, boolean randomFully) {
        String recent = "recent --set --name %s --rsource".formatted(CHAIN);
        return switch (table) {
            case MANGLE -> List.of(Match.ANY.comment("the probe").then("RETURN"));
            case FILTER -> List.of(Match.ANY.comment("the probe").state("NEW").reject(family));
            case NAT ->
                List.of(
                        Match.ANY
                                .comment("the probe")
                                .toOwnAddress()
                                .with(recent)
                                .then("MARK --set-xmark 0x4000/0x4000"),
                        Match.ANY
                                .with("statistic --mode random " + Rule.oneOutOf(2))
                                .then("RETURN"),
                        Match.ANY.with("mark --mark 0x4000/0x4000").then(masquerade(randomFully)),
                        new Rule("-p tcp -m tcp -j DNAT --to-destination "
                                + (family == Family.IPV4 ? "192.0.2.1:80" : "[2001:db8::1]:80")));
        };
    }

    private static String masquerade(boolean randomFully) {
        return randomFully ? "MASQUERADE --random-fully" : "MASQUERADE";
    }
}
