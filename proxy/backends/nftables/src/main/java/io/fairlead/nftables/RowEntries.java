package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.SharesNotes;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Turns;
import io.fairlead.forwarding.Verdict;
import io.fairlead.nftables.NftablesEntry.Content;
import io.fairlead.nftables.NftablesEntry.Element;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The entries that one row needs. Pure.
final class RowEntries {
    /// Weights that ask for more shares are rounded.
    static final int MOST_SHARES = 256;

    private static final Content NOTHING = new Content.Nothing();

    private final Forwarding row;
    private final List<NftablesEntry> entries;
    private final Family family;
    private final FrontendKind entrance;
    private final Bytes frontend;
    private final String comment;
    private final int seconds;

    RowEntries(Forwarding row, List<NftablesEntry> entries) {
        this.row = row;
        this.entries = entries;
        this.family = row.frontend().family();
        this.entrance = FrontendKind.of(row.frontend());
        this.frontend = FrontendKind.key(row.frontend());
        this.comment = Comment.of(row.service());
        this.seconds = row.affinity() instanceof Affinity.ClientIp(var timeout) ? (int) timeout.toSeconds() : 0;
    }

    void add() {
        boolean divided = row.isDivided();
        // What comes from outside is never from the node.
        Masquerade outside = divided && row.masquerade() == Masquerade.FROM_NODE ? Masquerade.NEVER : row.masquerade();
        lead(false, row.verdict(), outside);
        if (divided) {
            lead(true, row.inside(), row.masquerade());
        }
        if (seconds > 0) {
            element(entrance.sticky(), frontend, EndpointNumbers.ofPort(row.service()));
        }
        if (row.refusesOtherPorts()) {
            row.frontend()
                    .address()
                    .ifPresent(ip ->
                            entries.add(new Element(family, SetShape.CLUSTER_IP, Bytes.NONE.and(ip), NOTHING, "")));
        }
        guard();
    }

    private void guard() {
        if (row.sources().isAll()) {
            return;
        }
        element(SetShape.GUARDED, frontend, NOTHING);
        row.sources().allowed().stream()
                .flatMap(Guards::parts)
                .forEach(part ->
                        element(SetShape.ALLOWED, frontend.and(part.network()).andNumber(part.prefix()), NOTHING));
    }

    /// `inside` is for what begins on this node, where that is led elsewhere.
    private void lead(boolean inside, Verdict verdict, Masquerade masquerade) {
        SetShape services = inside ? entrance.inside() : entrance.services();
        switch (verdict) {
            case Verdict.SendTo(List<Target> targets) -> {
                List<Target> turns = Turns.of(targets, MOST_SHARES);
                if (turns.isEmpty()) {
                    element(services, frontend, Plan.REFUSE);
                    return;
                }
                int count = seconds == 0 ? turns.size() : Math.min(turns.size(), Plan.MOST_REMEMBERED);
                Choice choice = new Choice(entrance, inside, count, seconds, turn(count));
                Plan plan = new Plan(masquerade, choice);
                entries.addAll(plan.entries(family));
                element(services, frontend, plan.number());
                sendTo(turns.subList(0, count), inside);
            }
            case Verdict.Reject _ -> element(services, frontend, Plan.REFUSE);
            case Verdict.Drop _ -> element(services, frontend, Plan.DISCARD);
        }
    }

    /// Whose turns the choice counts; 0 where chance decides.
    private int turn(int count) {
        return SharesNotes.inTurn(row) && count > 1 && count <= Plan.MOST_REMEMBERED
                ? 1 + Math.floorMod(EndpointNumbers.ofPort(row.service()).number(), Choice.TURNS)
                : 0;
    }

    /// A target with more than one share stands at more than one index.
    private void sendTo(List<Target> targets, boolean inside) {
        int first = inside ? Choice.FIRST_INSIDE : 0;
        Set<Integer> numbers = seconds == 0 ? Set.of() : new HashSet<>();
        Map<Target, Integer> known = new HashMap<>();
        for (int i = 0; i < targets.size(); i++) {
            Target target = targets.get(i);
            Bytes address = address(target);
            Bytes index = frontend.andNumber(first + i);
            if (seconds == 0) {
                element(entrance.endpoints(), index, address);
            } else {
                Integer before = known.get(target);
                int number = before == null ? EndpointNumbers.of(target.address(), numbers) : before;
                element(entrance.slots(), index, Bytes.number(number));
                if (before == null) {
                    element(entrance.backends(inside), frontend.andNumber(number), address);
                }
                known.put(target, number);
            }
            if (row.mayLeadBack(target)) {
                hairpin(target.address().ip());
            }
        }
    }

    private static Bytes address(Target target) {
        return Bytes.NONE.and(target.address().ip()).andPort(target.address().port());
    }

    private void hairpin(Ip pod) {
        entries.add(new Element(family, SetShape.HAIRPIN, Bytes.NONE.and(pod).and(pod), NOTHING, ""));
    }

    private void element(SetShape set, Bytes key, Content content) {
        entries.add(new Element(family, set, key, content, comment));
    }
}
