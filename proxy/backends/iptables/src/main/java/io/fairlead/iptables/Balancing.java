package io.fairlead.iptables;

import io.fairlead.api.IpPort;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.SharesNotes;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Turns;
import io.fairlead.forwarding.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The chains of a port that choose an endpoint, and those of its endpoints.
///
/// A port has at most two lists of targets: those of the cluster (KUBE-SVC) and, where a policy keeps
/// connections on the node, those of the node (KUBE-SVL). A client that comes back is sent to the same endpoint
/// by both.
final class Balancing {
    /// Weights that ask for more shares are rounded.
    static final int MOST_SHARES = 256;

    private final Port port;
    private final Affinity affinity;
    private final boolean inTurn;
    private final Comments comments;
    private final Map<List<Target>, String> chains = new LinkedHashMap<>();

    private Balancing(Port port, Forwarding row, Comments comments) {
        this.port = port;
        this.affinity = row.affinity();
        this.inTurn = SharesNotes.inTurn(row);
        this.comments = comments;
    }

    static Balancing of(Port port, List<Forwarding> rows, Comments comments) {
        Balancing balancing = new Balancing(port, rows.getFirst(), comments);
        // What the inside of the node gets at an address for outsiders are the targets of the cluster, whatever the
        // policies say; so those come first.
        rows.stream()
                .filter(row -> !(row.frontend() instanceof Frontend.VirtualAddress))
                .forEach(row -> balancing.add(row.inside(), false));
        rows.forEach(row -> balancing.add(row.verdict(), row.traits().staysOnNode()));
        return balancing;
    }

    private void add(Verdict verdict, boolean local) {
        if (verdict instanceof Verdict.SendTo(List<Target> targets) && !chains.containsKey(targets)) {
            String ofCluster = ChainNames.service(port.name());
            String ofNode = ChainNames.local(port.name());
            String wanted = local ? ofNode : ofCluster;
            chains.put(targets, chains.containsValue(wanted) ? (local ? ofCluster : ofNode) : wanted);
        }
    }

    /// The chain that chooses among these targets.
    String chain(List<Target> targets) {
        return chains.getOrDefault(targets, "");
    }

    /// All chains; `first` are the rules that stand before the choice in the one of these targets.
    List<IptablesEntry> entries(Map<String, List<Rule>> first) {
        List<IptablesEntry> entries = new ArrayList<>();
        Set<IpPort> endpoints = new LinkedHashSet<>();
        chains.forEach((targets, chain) -> {
            List<Rule> rules = new ArrayList<>(first.getOrDefault(chain, List.of()));
            rules.addAll(choice(targets));
            entries.add(port.chain(Table.NAT, chain, rules));
            targets.forEach(target -> endpoints.add(target.address()));
        });
        endpoints.forEach(endpoint -> entries.add(endpoint(endpoint)));
        return entries;
    }

    private List<Rule> choice(List<Target> targets) {
        List<Rule> rules = new ArrayList<>();
        if (affinity instanceof Affinity.ClientIp(var timeout)) {
            targets.forEach(target -> rules.add(leadingTo(target)
                    .with("recent --rcheck --seconds %d --reap %s".formatted(timeout.toSeconds(), memory(target)))
                    .then(chain(target))));
        }
        rules.addAll(inTurn ? turns(targets) : chances(targets));
        return rules;
    }

    /// Each rule takes its share of what those before it left.
    private List<Rule> chances(List<Target> targets) {
        List<Integer> shares = Turns.shares(targets, MOST_SHARES);
        int left = shares.stream().mapToInt(share -> share).sum();
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < targets.size(); i++) {
            int share = shares.get(i);
            if (share > 0) {
                Match match = leadingTo(targets.get(i));
                rules.add((share == left ? match : match.with("statistic --mode random " + Rule.outOf(share, left)))
                        .then(chain(targets.get(i))));
                left -= share;
            }
        }
        return rules;
    }

    /// Each rule takes one of as many connections as there are turns from it on.
    private List<Rule> turns(List<Target> targets) {
        List<Target> turns = Turns.of(targets, MOST_SHARES);
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < turns.size(); i++) {
            int left = turns.size() - i;
            Match match = leadingTo(turns.get(i));
            rules.add((left == 1 ? match : match.with("statistic --mode nth --every %d --packet 0".formatted(left)))
                    .then(chain(turns.get(i))));
        }
        return rules;
    }

    private Match leadingTo(Target target) {
        return commented(port + " -> " + target.address());
    }

    private Match commented(String text) {
        return switch (comments) {
            case ALL -> Match.ANY.comment(text);
            case OF_FRONTENDS -> Match.ANY;
        };
    }

    private IptablesEntry endpoint(IpPort endpoint) {
        Match match = commented(port.toString());
        Rule hairpin = match.from(endpoint.ip()).then(ChainNames.MARK_MASQUERADE);
        if (affinity instanceof Affinity.ClientIp) {
            match = match.with("recent --set " + memory(new Target(endpoint, false)));
        }
        Rule lead = match.of(port.name().protocol()).then("DNAT --to-destination " + endpoint);
        String chain = ChainNames.endpoint(port.name(), endpoint);
        return port.chain(Table.NAT, chain, List.of(hairpin, lead));
    }

    private String chain(Target target) {
        return ChainNames.endpoint(port.name(), target.address());
    }

    /// The list in which the kernel remembers the clients of an endpoint.
    private String memory(Target target) {
        String mask = switch (port.family()) {
            case IPV4 -> "255.255.255.255";
            case IPV6 -> "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
        };
        return "--name %s --mask %s --rsource".formatted(chain(target), mask);
    }
}
