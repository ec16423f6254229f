package io.fairlead.iptables;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.forwarding.Tracer;
import io.fairlead.iptables.IptablesEntry.Chain;
import io.fairlead.iptables.IptablesEntry.Line;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Runs packets through the rules of a Program as the kernel does, on every way that chance may lead them.
final class IptablesTracer implements Tracer {
    private final Map<ChainKey, List<ParsedRule>> chains = new HashMap<>();
    private final List<Ip> ownAddresses;

    /// A node with this program and these addresses of its own, loopback besides.
    IptablesTracer(Program<IptablesEntry> program, List<Ip> ownAddresses) {
        this.ownAddresses = ownAddresses;
        List<IptablesEntry> entries = program.entries().toList();
        entries.stream()
                .filter(Line.class::isInstance)
                .map(Line.class::cast)
                .forEach(line -> add(line.place(), List.of(line.rule())));
        entries.stream()
                .filter(Chain.class::isInstance)
                .map(Chain.class::cast)
                .forEach(chain -> add(chain.place(), chain.rules()));
    }

    private void add(ChainKey place, List<Rule> rules) {
        List<ParsedRule> parsed = chains.computeIfAbsent(place, _ -> new ArrayList<>());
        rules.forEach(rule -> parsed.add(ParsedRule.of(rule)));
    }

    /// Where a packet is when a chain is through with it: at a terminal target, or at the chain's end.
    private record Outcome(TracedPacket packet, String target) {
        static final String NEXT = "";

        boolean goesOn() {
            return target.equals(NEXT);
        }
    }

    @Override
    public Trace trace(Packet packet) {
        TracedPacket first = TracedPacket.of(packet, ownAddresses);
        Set<Trace> ends = new HashSet<>();
        for (Outcome translated : enter(Table.NAT, hook(packet, "PREROUTING"), first)) {
            enterFilter(translated.packet()).forEach(outcome -> ends.add(end(outcome)));
        }
        return union(packet, ends);
    }

    /// The mark of the packet when it leaves the node; the same on every way.
    int markAfter(Packet packet, int mark) {
        TracedPacket first = new TracedPacket(packet, ownAddresses, packet.destination(), mark, false);
        Set<Integer> marks = new HashSet<>();
        for (Outcome translated : enter(Table.NAT, hook(packet, "PREROUTING"), first)) {
            enter(Table.NAT, "POSTROUTING", translated.packet())
                    .forEach(outcome -> marks.add(outcome.packet().mark()));
        }
        if (marks.size() != 1) {
            throw new IllegalStateException("marks differ: " + marks);
        }
        return marks.iterator().next();
    }

    private static String hook(Packet packet, String forInterface) {
        return packet.entrance() == Packet.Entrance.NODE ? "OUTPUT" : forInterface;
    }

    private Set<Outcome> enterFilter(TracedPacket packet) {
        boolean own = packet.isOwn(packet.destination().ip());
        Set<Outcome> outcomes = enter(Table.FILTER, hook(packet.first(), own ? "INPUT" : "FORWARD"), packet);
        if (!own || packet.first().entrance() != Packet.Entrance.NODE) {
            return outcomes;
        }
        // What the node sends to itself comes in again, through loopback.
        Set<Outcome> again = new LinkedHashSet<>();
        outcomes.forEach(outcome ->
                again.addAll(refuses(outcome) ? Set.of(outcome) : enter(Table.FILTER, "INPUT", outcome.packet())));
        return again;
    }

    private static boolean refuses(Outcome outcome) {
        return outcome.target().equals("DROP") || outcome.target().equals("REJECT");
    }

    private Trace end(Outcome outcome) {
        TracedPacket packet = outcome.packet();
        return switch (outcome.target()) {
            case "DROP" -> new Trace.Dropped();
            case "REJECT" -> new Trace.Refused();
            default ->
                packet.translated()
                        ? Trace.Delivered.to(List.of(new Delivery(packet.destination(), isMasqueraded(packet))))
                        : new Trace.Untouched();
        };
    }

    /// What comes in for the node itself does not pass postrouting.
    private boolean isMasqueraded(TracedPacket packet) {
        boolean passes = packet.first().entrance() == Packet.Entrance.NODE
                || !packet.isOwn(packet.destination().ip());
        return passes
                && enter(Table.NAT, "POSTROUTING", packet).stream()
                        .anyMatch(outcome -> outcome.target().equals("MASQUERADE"));
    }

    private static Trace union(Packet packet, Set<Trace> ends) {
        Set<Delivery> deliveries = new HashSet<>();
        ends.forEach(end -> {
            if (end instanceof Trace.Delivered(Set<Delivery> some)) {
                deliveries.addAll(some);
            }
        });
        if (deliveries.isEmpty() && ends.size() == 1) {
            return ends.iterator().next();
        }
        if (ends.stream().anyMatch(end -> !(end instanceof Trace.Delivered))) {
            throw new IllegalStateException("%s has no one end: %s".formatted(packet, ends));
        }
        return Trace.Delivered.to(deliveries);
    }

    private Set<Outcome> enter(Table table, String chain, TracedPacket packet) {
        ChainKey place = new ChainKey(packet.source().family(), table, chain);
        return walk(place, chains.getOrDefault(place, List.of()), packet);
    }

    private Set<Outcome> walk(ChainKey place, List<ParsedRule> rules, TracedPacket packet) {
        if (rules.isEmpty()) {
            return Set.of(new Outcome(packet, Outcome.NEXT));
        }
        List<ParsedRule> rest = rules.subList(1, rules.size());
        ParsedRule rule = rules.getFirst();
        if (!rule.matches(packet)) {
            return walk(place, rest, packet);
        }
        Set<Outcome> outcomes = new LinkedHashSet<>();
        if (rule.isByChance()) {
            outcomes.addAll(walk(place, rest, packet));
        }
        for (Outcome outcome : take(place, rule, packet)) {
            outcomes.addAll(outcome.goesOn() ? walk(place, rest, outcome.packet()) : Set.of(outcome));
        }
        return outcomes;
    }

    private Set<Outcome> take(ChainKey place, ParsedRule rule, TracedPacket packet) {
        return switch (rule.target()) {
            case "" -> Set.of(new Outcome(packet, Outcome.NEXT));
            case "MARK" -> Set.of(new Outcome(packet.marked(rule.arguments().get(1)), Outcome.NEXT));
            case "DNAT" ->
                Set.of(new Outcome(packet.to(IpPort.parse(rule.arguments().get(1))), "DNAT"));
            case "ACCEPT", "DROP", "REJECT", "MASQUERADE", "RETURN" -> Set.of(new Outcome(packet, rule.target()));
            default -> called(new ChainKey(place.family(), place.table(), rule.target()), packet);
        };
    }

    /// What returns from a chain goes on behind the rule that led there.
    private Set<Outcome> called(ChainKey place, TracedPacket packet) {
        List<ParsedRule> rules = chains.get(place);
        if (rules == null) {
            throw new IllegalStateException("no chain " + place);
        }
        Set<Outcome> outcomes = new LinkedHashSet<>();
        walk(place, rules, packet)
                .forEach(outcome -> outcomes.add(
                        outcome.target().equals("RETURN") ? new Outcome(outcome.packet(), Outcome.NEXT) : outcome));
        return outcomes;
    }
}
