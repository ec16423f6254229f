package io.fairlead.iptables;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// All entries of one port of a Service: its lines in the shared chains, and its own chains.
final class PortEntries {
    private final Port port;
    private final PodMatch pods;
    private final Balancing balancing;
    private final List<Forwarding> guarded;
    private final Map<String, List<Rule>> masquerades = new LinkedHashMap<>();
    private final List<IptablesEntry> entries = new ArrayList<>();

    private PortEntries(Port port, PodMatch pods, Balancing balancing, List<Forwarding> rows) {
        this.port = port;
        this.pods = pods;
        this.balancing = balancing;
        this.guarded = rows.stream().filter(row -> !row.sources().isAll()).toList();
    }

    static List<IptablesEntry> of(Port port, List<Forwarding> rows, PodMatch pods, Comments comments) {
        PortEntries made = new PortEntries(port, pods, Balancing.of(port, rows, comments), rows);
        rows.forEach(made::add);
        made.entries.addAll(made.balancing.entries(made.masquerades));
        return made.entries;
    }

    private void add(Forwarding row) {
        switch (row.frontend()) {
            case Frontend.VirtualAddress(Ip ip, var _, var _) -> clusterIp(row, ip);
            case Frontend.ExternalAddress(Ip ip, var _, var _) ->
                external(row, ChainNames.SERVICES, ChainNames.EXTERNAL_SERVICES, Match.ANY.to(ip), " external IP");
            case Frontend.LoadBalancerAddress(Ip ip, var _, var _) -> loadBalancer(row, ip);
            case Frontend.NodePort _ -> external(row, ChainNames.NODE_PORTS, ChainNames.NODE_PORTS, Match.ANY, "");
        }
    }

    private void clusterIp(Forwarding row, Ip ip) {
        Match match = Match.ANY.to(ip);
        Match known = at(match.comment(port + " cluster IP"), row);
        if (row.verdict() instanceof Verdict.SendTo(List<Target> targets)) {
            String chain = balancing.chain(targets);
            entries.add(port.line(Table.NAT, ChainNames.SERVICES, known.then(chain)));
            masquerades.computeIfAbsent(chain, _ -> new ArrayList<>()).addAll(masquerade(row.masquerade(), known));
        }
        unanswered(row, ChainNames.SERVICES, match);
        refuseOtherPorts(row.traits().inServiceNetwork() ? ChainNames.CLUSTER_IPS : ChainNames.STRAY_IPS, match);
    }

    private void refuseOtherPorts(String chain, Match address) {
        Rule otherPorts =
                address.comment(port.name().service() + " has no such port").reject(port.family());
        entries.add(port.line(Table.FILTER, chain, otherPorts));
    }

    /// A frontend for outsiders: `nat` and `filter` are the shared chains that its lines stand in.
    private void external(Forwarding row, String nat, String filter, Match match, String what) {
        if (leadsOn(row)) {
            Rule line = at(match.comment(port + what), row).then(ChainNames.external(port.name()));
            entries.add(port.line(Table.NAT, nat, line));
            entries.add(externalChain(row));
        }
        unanswered(row, filter, match);
    }

    private void loadBalancer(Forwarding row, Ip ip) {
        Match match = Match.ANY.to(ip);
        String what = " loadbalancer IP";
        if (row.refusesOtherPorts()) {
            // Behind the firewall and the lines for outsiders, which speak of the ports that the Service has.
            refuseOtherPorts(ChainNames.SERVICES, match);
        }
        if (row.sources().isAll()) {
            external(row, ChainNames.SERVICES, ChainNames.EXTERNAL_SERVICES, match, what);
            return;
        }
        String firewall = ChainNames.firewall(port.name());
        if (leadsOn(row)) {
            Rule line = at(match.comment(port + what), row).then(firewall);
            entries.add(port.line(Table.NAT, ChainNames.SERVICES, line));
            entries.add(externalChain(row));
            entries.add(firewallChain(firewall, what));
            // What the chain let pass has the address of an endpoint by now.
            Match others = match.comment("%s traffic not accepted by %s".formatted(port, firewall));
            entries.add(
                    port.line(Table.FILTER, ChainNames.FIREWALL, at(others, row).drop()));
        } else {
            Match all = match.comment(port + " has no endpoints");
            entries.add(
                    port.line(Table.FILTER, ChainNames.FIREWALL, at(all, row).then(firewall)));
            entries.add(refusingFirewall(row, firewall));
        }
    }

    private IptablesEntry firewallChain(String chain, String what) {
        List<Rule> rules = new ArrayList<>();
        for (Match allowed : allowed()) {
            rules.add(allowed.comment(port + what).then(ChainNames.external(port.name())));
        }
        String note = "other traffic to %s will be dropped by %s".formatted(port, ChainNames.FIREWALL);
        rules.add(Match.ANY.comment(note).note());
        return port.chain(Table.NAT, chain, rules);
    }

    /// Who may pass. The addresses of a port share one chain; a source that only one of them allows, as each does
    /// itself, is allowed there alone.
    private Set<Match> allowed() {
        Set<Match> allowed = new LinkedHashSet<>();
        for (Forwarding row : guarded) {
            for (Cidr source : row.sources().allowed()) {
                boolean everywhere = guarded.stream()
                        .allMatch(other -> other.sources().allowed().contains(source));
                Match match = Match.ANY.from(source);
                allowed.add(
                        everywhere
                                ? match
                                : row.frontend().address().map(match::to).orElse(match));
            }
        }
        return allowed;
    }

    /// Tells the allowed sources that no endpoint answers; the others hear nothing.
    private IptablesEntry refusingFirewall(Forwarding row, String chain) {
        List<Rule> rules = new ArrayList<>();
        if (row.verdict() instanceof Verdict.Reject) {
            for (Match allowed : allowed()) {
                rules.add(allowed.comment(port + " has no endpoints").reject(port.family()));
            }
        }
        rules.add(Match.ANY.comment(port + " is not for others").drop());
        return port.chain(Table.FILTER, chain, rules);
    }

    private static boolean leadsOn(Forwarding row) {
        return row.verdict() instanceof Verdict.SendTo || row.inside() instanceof Verdict.SendTo;
    }

    private IptablesEntry externalChain(Forwarding row) {
        String what = port + " external destinations";
        List<Rule> rules = new ArrayList<>();
        boolean shortCircuit =
                row.inside() instanceof Verdict.SendTo && !row.inside().equals(row.verdict());
        if (shortCircuit) {
            pods.inside()
                    .forEach(pod ->
                            rules.add(pod.comment("pod traffic for " + what).then(chain(row.inside()))));
        }
        String whose =
                row.masquerade() == Masquerade.FROM_NODE ? "masquerade LOCAL traffic for " : "masquerade traffic for ";
        rules.addAll(masquerade(row.masquerade(), Match.ANY.comment(whose + what)));
        if (shortCircuit) {
            rules.add(Match.ANY
                    .comment("route LOCAL traffic for " + what)
                    .fromOwnAddress()
                    .then(chain(row.inside())));
        }
        if (row.verdict() instanceof Verdict.SendTo) {
            rules.add(Match.ANY.then(chain(row.verdict())));
        }
        return port.chain(Table.NAT, ChainNames.external(port.name()), rules);
    }

    private String chain(Verdict verdict) {
        return verdict instanceof Verdict.SendTo(List<Target> targets) ? balancing.chain(targets) : "";
    }

    /// The rules that mark those of `packets` that get the node's address as source.
    private List<Rule> masquerade(Masquerade masquerade, Match packets) {
        return switch (masquerade) {
            case NEVER -> List.of();
            case ALWAYS -> List.of(packets.then(ChainNames.MARK_MASQUERADE));
            case FROM_NODE -> List.of(packets.fromOwnAddress().then(ChainNames.MARK_MASQUERADE));
            case OFF_CLUSTER ->
                pods.haveSeveralNetworks()
                        ? List.of(packets.then(ChainNames.MARK_OFF_CLUSTER))
                        : pods.outside(packets).stream()
                                .map(outside -> outside.then(ChainNames.MARK_MASQUERADE))
                                .toList();
        };
    }

    /// The line for clients that find no endpoint: it sees only what nat has not led on.
    private void unanswered(Forwarding row, String chain, Match match) {
        switch (row.verdict()) {
            case Verdict.SendTo _ -> {}
            case Verdict.Reject _ -> {
                Match refused = at(match.comment(port + " has no endpoints"), row);
                entries.add(port.line(Table.FILTER, chain, refused.reject(port.family())));
            }
            case Verdict.Drop _ -> {
                Match dropped = at(match.comment(port + " has no local endpoints"), row);
                entries.add(port.line(Table.FILTER, chain, dropped.drop()));
            }
        }
    }

    private static Match at(Match match, Forwarding row) {
        Protocol protocol = row.frontend().protocol();
        return match.of(protocol, row.frontend().port());
    }
}
