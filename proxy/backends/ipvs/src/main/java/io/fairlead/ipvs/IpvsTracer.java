package io.fairlead.ipvs;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.forwarding.Tracer;
import io.fairlead.ipvs.IpvsEntry.Address;
import io.fairlead.ipvs.IpvsEntry.Chain;
import io.fairlead.ipvs.IpvsEntry.Jump;
import io.fairlead.ipvs.IpvsEntry.Lead;
import io.fairlead.ipvs.IpvsEntry.Member;
import io.fairlead.ipvs.IpvsEntry.RealServer;
import io.fairlead.ipvs.IpvsEntry.VirtualServer;
import io.fairlead.ipvs.Spot.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Runs packets through the entries of a Program as the kernel does: rules, sets, the way in, virtual servers.
final class IpvsTracer implements Tracer, TracedRule.Machine {
    private static final List<Cidr> LOOPBACK = List.of(Cidr.parse("127.0.0.0/8"), Cidr.parse("::1/128"));

    private final Map<Spot, List<TracedRule>> chains = new HashMap<>();
    private final Map<String, Map<Element, Integer>> sets = new HashMap<>();
    private final Map<ServerAddress, List<IpPort>> servers = new HashMap<>();
    private final Set<Ip> bound = new HashSet<>();
    private final Set<Lead> leads = new HashSet<>();
    private final List<Ip> ownAddresses;

    /// A node with this program and these addresses of its own, loopback besides.
    IpvsTracer(Program<IpvsEntry> program, List<Ip> ownAddresses) {
        this.ownAddresses = ownAddresses;
        program.entries().forEach(this::add);
    }

    private void add(IpvsEntry entry) {
        switch (entry) {
            case VirtualServer server -> servers.computeIfAbsent(server.place(), _ -> new ArrayList<>());
            case RealServer server
            when server.weight() > 0 ->
                servers.computeIfAbsent(server.place(), _ -> new ArrayList<>()).add(server.address());
            case Member member ->
                sets.computeIfAbsent(member.set().toString(), _ -> new HashMap<>())
                        .put(member.element(), member.mark());
            case Address(Ip ip, var _) -> {
                bound.add(ip);
                add(new Member(new SetName(ip.family(), SetName.Kind.IPVS_IPS), Element.of(ip), 0));
            }
            case Lead lead -> leads.add(lead);
            case Chain chain -> chain.rules().forEach(rule -> add(chain.spot(), rule));
            case Jump jump -> add(jump.spot(), jump.rule());
            case RealServer _, IpvsEntry.AddressSet _, IpvsEntry.Device _ -> {}
        }
    }

    private void add(Spot spot, String rule) {
        chains.computeIfAbsent(spot, _ -> new ArrayList<>()).add(new TracedRule(rule, this));
    }

    /// A packet where a chain is through with it, and what became of it there; nothing if it goes on.
    private record Outcome(TracedPacket packet, String end) {
        boolean ends() {
            return !end.isEmpty();
        }
    }

    @Override
    public Trace trace(Packet packet) {
        String hook = packet.entrance() == Packet.Entrance.NODE ? "OUTPUT" : "PREROUTING";
        Outcome mangled = enter(Table.MANGLE, hook, new TracedPacket(packet, packet.destination(), 0));
        if (mangled.ends()) {
            return end(mangled);
        }
        TracedPacket marked = enter(Table.NAT, hook, mangled.packet()).packet();
        if (marked.isOfNode()) {
            Optional<ServerAddress> place = server(marked);
            if (place.isPresent()) {
                return lead(place.get(), marked);
            }
            Outcome sent = enter(Table.FILTER, "OUTPUT", marked);
            if (sent.ends() || !comesIn(marked)) {
                return end(sent);
            }
        } else if (!comesIn(marked)) {
            return end(enter(Table.FILTER, "FORWARD", marked));
        }
        Outcome received = enter(Table.FILTER, "INPUT", marked);
        return received.ends()
                ? end(received)
                : server(marked).map(place -> lead(place, marked)).orElseGet(Trace.Untouched::new);
    }

    /// Whether the machine takes it for its own.
    private boolean comesIn(TracedPacket packet) {
        return isOwn(packet, false)
                || leads.stream()
                        .anyMatch(lead -> lead.family() == packet.source().family()
                                && (packet.mark() & lead.tag()) == lead.tag());
    }

    private Optional<ServerAddress> server(TracedPacket packet) {
        ServerAddress marked = new ServerAddress.Marked(packet.source().family(), packet.mark());
        ServerAddress at = new ServerAddress.At(
                packet.destination().ip(),
                packet.first().protocol(),
                packet.destination().port());
        return servers.containsKey(marked)
                ? Optional.of(marked)
                : Optional.of(at).filter(servers::containsKey);
    }

    private Trace lead(ServerAddress place, TracedPacket packet) {
        List<IpPort> targets = servers.getOrDefault(place, List.of());
        if (targets.isEmpty()) {
            return new Trace.Refused();
        }
        return Trace.Delivered.to(targets.stream()
                .map(target -> new Delivery(target, isMasqueraded(packet.to(target))))
                .toList());
    }

    /// What comes in for the node itself does not pass postrouting.
    private boolean isMasqueraded(TracedPacket packet) {
        if (!packet.isOfNode() && isOwn(packet, false)) {
            return false;
        }
        TracedPacket led = enter(Table.MANGLE, "OUTPUT", packet).packet();
        TracedPacket sent = enter(Table.MANGLE, "POSTROUTING", led).packet();
        return enter(Table.NAT, "POSTROUTING", sent).end().equals("MASQUERADE");
    }

    private static Trace end(Outcome outcome) {
        return switch (outcome.end()) {
            case "DROP" -> new Trace.Dropped();
            case "REJECT" -> new Trace.Refused();
            default -> new Trace.Untouched();
        };
    }

    private Outcome enter(Table table, String chain, TracedPacket packet) {
        return walk(new Spot(packet.source().family(), table, chain), packet);
    }

    private Outcome walk(Spot spot, TracedPacket first) {
        TracedPacket packet = first;
        for (TracedRule rule : chains.getOrDefault(spot, List.of())) {
            if (rule.matches(packet)) {
                if (rule.target().equals("RETURN")) {
                    return new Outcome(packet, "");
                }
                Outcome outcome = take(spot, rule, packet);
                if (outcome.ends() || rule.leaves()) {
                    return outcome;
                }
                packet = outcome.packet();
            }
        }
        return new Outcome(packet, "");
    }

    private Outcome take(Spot spot, TracedRule rule, TracedPacket packet) {
        List<String> words = rule.arguments();
        return switch (rule.target()) {
            case "DROP", "REJECT", "ACCEPT", "MASQUERADE" -> new Outcome(packet, rule.target());
            case "MARK" -> new Outcome(packet.marked(TracedRule.changed(packet.mark(), words.get(1))), "");
            case "SET" -> {
                int mark = find(words.get(1), words.get(2), packet).orElseThrow();
                yield new Outcome(packet.marked(mark == 0 ? packet.mark() : mark), "");
            }
            default -> walk(new Spot(spot.family(), spot.table(), rule.target()), packet);
        };
    }

    /// A packet that comes in with an address of ours as its source is not ours; the kernel does not even take it.
    @Override
    public boolean isOwn(TracedPacket packet, boolean source) {
        Ip ip = source ? packet.source() : packet.destination().ip();
        return ownAddresses.contains(ip)
                || ((!source || packet.isOfNode()) && bound.contains(ip))
                || LOOPBACK.stream().anyMatch(network -> network.contains(ip));
    }

    @Override
    public boolean contains(String set, String directions, TracedPacket packet) {
        return find(set, directions, packet).isPresent();
    }

    private Optional<Integer> find(String set, String directions, TracedPacket packet) {
        return sets.getOrDefault(set, Map.of()).entrySet().stream()
                .filter(member -> matches(member.getKey(), directions, packet))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static boolean matches(Element element, String directions, TracedPacket packet) {
        Ip first = directions.startsWith("src")
                ? packet.source()
                : packet.destination().ip();
        Protocol protocol = packet.first().protocol();
        return element.address().filter(network -> !network.contains(first)).isEmpty()
                && element.protocol().filter(known -> known != protocol).isEmpty()
                && (element.port() == 0
                        || element.port() == packet.destination().port())
                && element.source()
                        .filter(network -> !network.contains(packet.source()))
                        .isEmpty();
    }
}
