package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.nftables.Expression.Goto;
import io.fairlead.nftables.Expression.Jump;
import io.fairlead.nftables.NftablesEntry.Chain;
import io.fairlead.nftables.NftablesEntry.Content;
import io.fairlead.nftables.NftablesEntry.Element;
import io.fairlead.nftables.NftablesEntry.Hook;
import java.util.ArrayList;
import java.util.List;

/// A way to lead a connection on: who is masqueraded, and how an endpoint is chosen.
///
/// Each plan has a number, that stands in the maps of Services, and a chain that the number leads to.
record Plan(Masquerade masquerade, Choice choice) {
    /// Nothing is heard.
    static final Bytes DISCARD = Bytes.number(0);

    /// The kernel tells the sender.
    static final Bytes REFUSE = Bytes.number(1 << 11);

    static final String DISCARD_CHAIN = "discard";
    static final String REFUSE_CHAIN = "refuse";

    // The fields of the number: 2 bits masquerade, 1 entrance, 1 inside, 17 seconds, 11 count. A count that needs more
    // bits takes those of the seconds, above what an affinity may last; and above these stands whose turns it counts.
    private static final int COUNT_BITS = 11;
    private static final int MOST_SECONDS = 100_000;
    private static final int FIRST_TURN = 114_000;

    /// An affinity chooses among this many endpoints at most.
    static final int MOST_REMEMBERED = (1 << COUNT_BITS) - 1;

    /// What stands in the maps of Services.
    Bytes number() {
        int count = choice.count();
        int more = choice.turn() > 0
                ? FIRST_TURN + choice.turn()
                : count > MOST_REMEMBERED ? MOST_SECONDS + (count >>> COUNT_BITS) : choice.seconds();
        return Bytes.number((number(masquerade) << 30)
                | (choice.entrance() == FrontendKind.NODE_PORT ? 1 << 29 : 0)
                | (choice.inside() ? 1 << 28 : 0)
                | (more << COUNT_BITS)
                | (count & MOST_REMEMBERED));
    }

    private static int number(Masquerade masquerade) {
        return switch (masquerade) {
            case OFF_CLUSTER -> 0;
            case ALWAYS -> 1;
            case FROM_NODE -> 2;
            case NEVER -> 3;
        };
    }

    /// The plans that are part of the foundation: a ClusterIP keeps the address of a pod, a node port that of no
    /// client.
    static List<Plan> standing() {
        return Choice.standing().stream()
                .map(choice -> new Plan(usual(choice.entrance()), choice))
                .toList();
    }

    private static Masquerade usual(FrontendKind entrance) {
        return entrance == FrontendKind.ADDRESS ? Masquerade.OFF_CLUSTER : Masquerade.ALWAYS;
    }

    /// The chains of the plan and the element that leads to them; what the foundation has not.
    List<NftablesEntry> entries(Family family) {
        if (choice.isStanding() && masquerade == usual(choice.entrance())) {
            return List.of();
        }
        return choice.isStanding() ? own(family) : all(family);
    }

    /// The chains of the plan and the element that leads to them.
    List<NftablesEntry> all(Family family) {
        List<NftablesEntry> entries = new ArrayList<>(own(family));
        entries.add(choice.chain(family));
        return entries;
    }

    private List<NftablesEntry> own(Family family) {
        NftablesEntry lead = element(family, number(), chainName());
        if (masquerade == Masquerade.NEVER) {
            return List.of(lead);
        }
        List<Rule> rules = List.of(Rule.of(new Jump(markChain(masquerade))), Rule.of(new Goto(choice.chainName())));
        return List.of(lead, new Chain(family, chainName(), Hook.NONE, rules));
    }

    /// Where it is found out whether a connection is masqueraded.
    static String markChain(Masquerade masquerade) {
        return "mark-" + masquerade;
    }

    private String chainName() {
        return masquerade == Masquerade.NEVER ? choice.chainName() : choice.chainName() + "-" + masquerade;
    }

    /// The elements for those who are led nowhere.
    static List<NftablesEntry> deadEnds(Family family) {
        return List.of(element(family, DISCARD, DISCARD_CHAIN), element(family, REFUSE, REFUSE_CHAIN));
    }

    private static NftablesEntry element(Family family, Bytes number, String chain) {
        return new Element(family, SetShape.PLAN, number, new Content.Goto(chain), "");
    }
}
