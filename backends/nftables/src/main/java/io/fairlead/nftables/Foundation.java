package io.fairlead.nftables;

import static io.fairlead.nftables.Layout.FIRST_REGISTER;
import static io.fairlead.nftables.Steps.isMarkedForMasquerade;
import static io.fairlead.nftables.Steps.isNewConnection;
import static io.fairlead.nftables.Steps.isOwnAddress;
import static io.fairlead.nftables.Steps.isProtocol;
import static io.fairlead.nftables.Steps.launder;
import static io.fairlead.nftables.Steps.loadAddressAndPort;
import static io.fairlead.nftables.Steps.loadPort;
import static io.fairlead.nftables.Steps.unmark;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Protocol;
import io.fairlead.nftables.Expression.Drop;
import io.fairlead.nftables.Expression.Goto;
import io.fairlead.nftables.Expression.Jump;
import io.fairlead.nftables.Expression.Load;
import io.fairlead.nftables.Expression.Lookup;
import io.fairlead.nftables.Expression.Masquerade;
import io.fairlead.nftables.Expression.RejectUnreachable;
import io.fairlead.nftables.Expression.RejectWithReset;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Hook;
import io.fairlead.nftables.Plan.Entrance;
import java.util.ArrayList;
import java.util.List;

/// What stands in one family's table even without a Service: all sets, and all chains but those of unusual plans.
final class Foundation {
    private static final String SERVICES = "services";
    private static final String UNANSWERED = "unanswered";
    private static final String REFUSE = "refuse";

    private final Family family;

    private Foundation(Family family) {
        this.family = family;
    }

    static List<NftablesEntry> of(Family family, List<Cidr> podNetworks) {
        Foundation foundation = new Foundation(family);
        List<NftablesEntry> entries = new ArrayList<>();
        entries.add(new NftablesEntry.Table(family, true));
        for (SetShape shape : SetShape.values()) {
            entries.add(new NftablesEntry.Set(family, shape));
        }
        entries.addAll(foundation.chains());
        Plan.standing().forEach(plan -> entries.addAll(plan.entries(family, podNetworks)));
        return entries;
    }

    private List<Chain> chains() {
        return List.of(
                chain("filter-prerouting", Hook.FILTER_PREROUTING, newConnectionsTo(UNANSWERED)),
                chain("filter-output", Hook.FILTER_OUTPUT, newConnectionsTo(UNANSWERED)),
                unanswered(),
                refuse(),
                chain("nat-prerouting", Hook.NAT_PREROUTING, Rule.of(new Jump(SERVICES))),
                chain("nat-output", Hook.NAT_OUTPUT, Rule.of(new Jump(SERVICES))),
                services(),
                Plan.fallback(Entrance.ADDRESS, family),
                Plan.fallback(Entrance.NODE_PORT, family),
                postrouting());
    }

    private Chain services() {
        return chain(
                SERVICES,
                Hook.NONE,
                new Rule(loadAddressAndPort(family)).then(leadOn(SetShape.SERVICE)),
                new Rule(isOwnAddress(family)).then(loadPort()).then(leadOn(SetShape.NODEPORT)));
    }

    /// From the key in the first registers to the chain of its plan.
    private List<Expression> leadOn(SetShape services) {
        int plan = FIRST_REGISTER + SetShape.length(services.key(), family) / 4;
        List<Expression> steps = new ArrayList<>();
        steps.add(new Lookup(services, FIRST_REGISTER, plan));
        steps.addAll(launder(plan));
        steps.add(new Lookup(SetShape.PLAN, plan, 0));
        return steps;
    }

    private Chain unanswered() {
        Rule address = new Rule(loadAddressAndPort(family));
        Rule nodePort = new Rule(isOwnAddress(family)).then(loadPort());
        return chain(
                UNANSWERED,
                Hook.NONE,
                address.then(isIn(SetShape.REJECTED), new Goto(REFUSE)),
                address.then(isIn(SetShape.DROPPED), new Drop()),
                nodePort.then(isIn(SetShape.NODEPORT_REJECTED), new Goto(REFUSE)),
                nodePort.then(isIn(SetShape.NODEPORT_DROPPED), new Drop()));
    }

    // A reset is not rate limited, as ICMP messages are.
    private Chain refuse() {
        return chain(
                REFUSE,
                Hook.NONE,
                new Rule(isProtocol(Protocol.TCP.number())).then(new RejectWithReset()),
                Rule.of(new RejectUnreachable()));
    }

    private Chain postrouting() {
        int destination = FIRST_REGISTER + Layout.addressRegisters(family);
        Rule pair = Rule.of(new Load(Field.SOURCE, FIRST_REGISTER), new Load(Field.DESTINATION, destination));
        return chain(
                "nat-postrouting",
                Hook.NAT_POSTROUTING,
                pair.then(isIn(SetShape.HAIRPIN), new Masquerade()),
                new Rule(isMarkedForMasquerade()).then(unmark()).then(new Masquerade()));
    }

    private static Expression isIn(SetShape set) {
        return new Lookup(set, FIRST_REGISTER, 0);
    }

    private static Rule newConnectionsTo(String chain) {
        return new Rule(isNewConnection()).then(new Jump(chain));
    }

    private Chain chain(String name, Hook hook, Rule... rules) {
        return new Chain(family, name, hook, List.of(rules));
    }
}
