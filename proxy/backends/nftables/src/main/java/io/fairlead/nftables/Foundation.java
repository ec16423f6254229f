package io.fairlead.nftables;

import static io.fairlead.nftables.Layout.FIRST_REGISTER;
import static io.fairlead.nftables.Layout.LAST_REGISTER;
import static io.fairlead.nftables.Steps.isProtocol;
import static io.fairlead.nftables.Steps.throughMark;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.nftables.Expression.Choose;
import io.fairlead.nftables.Expression.Drop;
import io.fairlead.nftables.Expression.Goto;
import io.fairlead.nftables.Expression.Jump;
import io.fairlead.nftables.Expression.Load;
import io.fairlead.nftables.Expression.Lookup;
import io.fairlead.nftables.Expression.RejectUnreachable;
import io.fairlead.nftables.Expression.RejectWithReset;
import io.fairlead.nftables.Expression.Return;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Hook;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What stands in one family's table even without a Service: all sets, and all chains but those of unusual plans.
///
/// All chains are of type nat: they see the first packet of a connection, and no other.
final class Foundation {
    private static final String SERVICES = "services";
    private static final String INSIDE = "inside-node";
    private static final String GUARD = "guard";

    private final Family family;
    private final NodeFacts node;
    private final Steps steps;

    private Foundation(Family family, NodeFacts node) {
        this.family = family;
        this.node = node;
        this.steps = new Steps(family, node);
    }

    static List<NftablesEntry> of(Family family, NodeFacts node) {
        List<NftablesEntry> entries = new ArrayList<>();
        entries.add(new NftablesEntry.Table(family, true));
        for (SetShape shape : SetShape.values()) {
            entries.add(new NftablesEntry.NamedSet(family, shape, true));
        }
        entries.addAll(new Foundation(family, node).chains());
        entries.addAll(Choice.fallbacks(family));
        entries.addAll(Plan.deadEnds(family));
        Plan.standing().forEach(plan -> entries.addAll(plan.all(family)));
        return entries;
    }

    private List<Chain> chains() {
        return List.of(
                prerouting(),
                chain("nat-output", Hook.NAT_OUTPUT, guarded(), Rule.of(new Goto(INSIDE))),
                guard(),
                inside(),
                services(),
                chain(Plan.DISCARD_CHAIN, Hook.NONE, Rule.of(new Drop())),
                refuse(),
                mark(Masquerade.ALWAYS, List.of(Rule.of())),
                mark(Masquerade.OFF_CLUSTER, steps.isOffCluster()),
                mark(Masquerade.FROM_NODE, List.of(new Rule(Steps.isFromNode()))),
                chain("nat-input", Hook.NAT_INPUT, count()),
                postrouting());
    }

    private Chain prerouting() {
        List<Rule> rules = new ArrayList<>();
        rules.add(guarded());
        steps.isPod().forEach(pod -> rules.add(pod.then(new Goto(INSIDE))));
        rules.add(Rule.of(new Goto(SERVICES)));
        return chain("nat-prerouting", Hook.NAT_PREROUTING, rules);
    }

    /// A frontend that is not for every client.
    private Rule guarded() {
        return new Rule(FrontendKind.ADDRESS.load(family)).then(isIn(SetShape.GUARDED), new Jump(GUARD));
    }

    /// Comes back if one of the networks that may use the frontend holds the source: by each length of prefix there is.
    private Chain guard() {
        List<Rule> rules = new ArrayList<>();
        int source = FrontendKind.ADDRESS.next(family);
        int length = source + Layout.addressRegisters(family);
        for (int prefix : Guards.prefixes(family)) {
            rules.add(new Rule(FrontendKind.ADDRESS.load(family))
                    .then(Steps.loadNetwork(PacketField.SOURCE, family, prefix, source))
                    .then(new Choose(1, prefix, false, length), isIn(SetShape.ALLOWED), new Return()));
        }
        rules.add(Rule.of(new Drop()));
        return chain(GUARD, Hook.NONE, rules);
    }

    private Chain inside() {
        List<Rule> rules = new ArrayList<>();
        rules.add(leadOn(FrontendKind.ADDRESS, SetShape.INSIDE));
        // An address that a Service has goes before a node port, also where it is one of the node's own.
        rules.add(leadOn(FrontendKind.ADDRESS, SetShape.SERVICE));
        rules.addAll(atNodePorts(SetShape.INSIDE_NODEPORT));
        rules.add(Rule.of(new Goto(SERVICES)));
        return chain(INSIDE, Hook.NONE, rules);
    }

    /// The same chain, but it lets pass what it knows nothing of: an address that is no Service's, or not yet.
    static Chain withoutEnd(Chain chain) {
        if (!chain.name().equals(SERVICES)) {
            return chain;
        }
        return chain.with(chain.rules().stream()
                .filter(rule -> !rule.steps().contains(new Drop()))
                .toList());
    }

    private Chain services() {
        List<Rule> rules = new ArrayList<>();
        rules.add(leadOn(FrontendKind.ADDRESS, SetShape.SERVICE));
        rules.addAll(atNodePorts(SetShape.NODEPORT));
        rules.add(Rule.of(
                new Load(PacketField.DESTINATION, FIRST_REGISTER),
                isIn(SetShape.CLUSTER_IP),
                new Goto(Plan.REFUSE_CHAIN)));
        serviceNetworks()
                .map(network -> new Rule(Steps.isInside(network, PacketField.DESTINATION)).then(new Drop()))
                .forEach(rules::add);
        return chain(SERVICES, Hook.NONE, rules);
    }

    private Stream<Cidr> serviceNetworks() {
        return node.serviceNetworks().stream()
                .filter(network -> network.family() == family)
                .sorted();
    }

    private List<Rule> atNodePorts(SetShape services) {
        return node.nodePortNetworks(family).stream()
                .map(network -> new Rule(Steps.isOwnAddress(network))
                        .then(leadOn(FrontendKind.NODE_PORT, services).steps()))
                .toList();
    }

    /// From the frontend of the packet to the chain of its plan.
    private Rule leadOn(FrontendKind entrance, SetShape services) {
        int plan = entrance.next(family);
        return new Rule(entrance.load(family))
                .then(new Lookup(services, FIRST_REGISTER, plan))
                .then(throughMark(plan, LAST_REGISTER))
                .then(new Lookup(SetShape.PLAN, plan, 0));
    }

    // A reset is not rate limited, as ICMP messages are.
    private Chain refuse() {
        return chain(
                Plan.REFUSE_CHAIN,
                Hook.NONE,
                new Rule(isProtocol(Protocol.TCP.number())).then(new RejectWithReset()),
                Rule.of(new RejectUnreachable()));
    }

    private Chain mark(Masquerade whom, List<Rule> conditions) {
        List<Rule> rules = conditions.stream()
                .map(condition -> condition.then(steps.mark()))
                .toList();
        return chain(Plan.markChain(whom), Hook.NONE, rules);
    }

    /// What goes to a process of the node itself passes input, all else postrouting.
    private Rule count() {
        return new Rule(Steps.isLed()).then(steps.count());
    }

    /// A connection is masqueraded for the sake of a hairpin only if we led it: a process of the node may call the
    /// node's own address as it likes.
    private Chain postrouting() {
        int destination = FIRST_REGISTER + Layout.addressRegisters(family);
        Rule pair = new Rule(Steps.isLed())
                .then(new Load(PacketField.SOURCE, FIRST_REGISTER), new Load(PacketField.DESTINATION, destination));
        return chain(
                "nat-postrouting",
                Hook.NAT_POSTROUTING,
                count(),
                pair.then(isIn(SetShape.HAIRPIN), new Expression.Masquerade()),
                new Rule(steps.isMarked()).then(steps.unmark()).then(new Expression.Masquerade()));
    }

    private static Expression isIn(SetShape set) {
        return new Lookup(set, FIRST_REGISTER, 0);
    }

    private Chain chain(String name, Hook hook, Rule... rules) {
        return chain(name, hook, List.of(rules));
    }

    private Chain chain(String name, Hook hook, List<Rule> rules) {
        return new Chain(family, name, hook, rules);
    }
}
