package io.fairlead.iptables;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.forwarding.LocalPods;
import java.util.List;
import java.util.Optional;

/// How rules of one family tell the pods of this node from all other clients.
final class PodMatch {
    private final LocalPods pods;
    private final Family family;

    PodMatch(LocalPods pods, Family family) {
        this.pods = pods;
        this.family = family;
    }

    /// One match for each way to be a pod.
    List<Match> inside() {
        return switch (pods) {
            case LocalPods.Networks _ ->
                networks().stream().map(Match.ANY::from).toList();
            case LocalPods.Bridge(String name) -> List.of(Match.ANY.through(name));
            case LocalPods.InterfacePrefix(String prefix) -> List.of(Match.ANY.through(prefix + "+"));
            case LocalPods.Unknown _ -> List.of();
        };
    }

    /// Narrows `packets` to those that no pod sent, if that can be said in one rule.
    ///
    /// It cannot where pods have several networks: then [#otherNetworks] makes the chain that can.
    Optional<Match> outside(Match packets) {
        return switch (pods) {
            case LocalPods.Networks _ ->
                networks().size() == 1 ? Optional.of(packets.notFrom(networks().getFirst())) : Optional.empty();
            case LocalPods.Bridge(String name) -> Optional.of(packets.notThrough(name));
            case LocalPods.InterfacePrefix(String prefix) -> Optional.of(packets.notThrough(prefix + "+"));
            case LocalPods.Unknown _ -> Optional.empty();
        };
    }

    boolean haveSeveralNetworks() {
        return networks().size() > 1;
    }

    /// The rules of a chain that marks what no pod sent, where pods have several networks.
    List<Rule> otherNetworks() {
        List<Rule> rules = new java.util.ArrayList<>();
        inside().forEach(pod -> rules.add(pod.then("RETURN")));
        rules.add(Match.ANY.then(ChainNames.MARK_MASQUERADE));
        return rules;
    }

    private List<Cidr> networks() {
        return pods instanceof LocalPods.Networks(List<Cidr> networks)
                ? networks.stream()
                        .filter(network -> network.family() == family)
                        .toList()
                : List.of();
    }
}
