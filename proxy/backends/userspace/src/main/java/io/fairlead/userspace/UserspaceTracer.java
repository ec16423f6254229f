package io.fairlead.userspace;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.forwarding.Affinity;
import io.fairlead.forwarding.AffinityTracer;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.userspace.UserspaceEntry.Action;
import io.fairlead.userspace.UserspaceEntry.Closed;
import io.fairlead.userspace.UserspaceEntry.Gate;
import io.fairlead.userspace.UserspaceEntry.Guard;
import io.fairlead.userspace.UserspaceEntry.Portal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Runs packets through the rules and the relay: what is relayed has the node as client.
final class UserspaceTracer implements AffinityTracer {
    private final Program<UserspaceEntry> program;
    private final List<Ip> ownAddresses;

    UserspaceTracer(Program<UserspaceEntry> program, List<Ip> ownAddresses) {
        this.program = program;
        this.ownAddresses = List.copyOf(ownAddresses);
    }

    @Override
    public Trace trace(Packet packet) {
        Optional<Gate> gate = find("gate " + packet.source().family(), Gate.class);
        if (gate.isEmpty()) {
            return new Trace.Untouched();
        }
        Optional<Guard> guard = find("guard " + place(packet), Guard.class);
        if (guard.isPresent() && !guard.get().sources().contains(packet.source())) {
            return new Trace.Dropped();
        }
        return portal(packet, gate.get())
                .map(portal -> trace(portal.action()))
                .orElseGet(() -> withoutPortal(packet, gate.get()));
    }

    @Override
    public Set<List<Trace>> traceAll(List<Packet> packets) {
        Set<List<Trace>> ways = new HashSet<>();
        walk(packets, new ArrayList<>(), new HashMap<>(), ways);
        return ways;
    }

    /// A client that session affinity remembers.
    private record Client(ServicePortName service, Ip address) {}

    private void walk(List<Packet> left, List<Trace> way, Map<Client, Trace> memory, Set<List<Trace>> ways) {
        if (left.isEmpty()) {
            ways.add(List.copyOf(way));
            return;
        }
        Packet packet = left.getFirst();
        for (Trace next : nextWays(packet, memory)) {
            Map<Client, Trace> after = new HashMap<>(memory);
            client(packet).ifPresent(client -> after.put(client, next));
            List<Trace> longer = new ArrayList<>(way);
            longer.add(next);
            walk(left.subList(1, left.size()), longer, after, ways);
        }
    }

    private Set<Trace> nextWays(Packet packet, Map<Client, Trace> memory) {
        Optional<Trace> before = client(packet).map(memory::get);
        if (before.isPresent()) {
            return Set.of(before.get());
        }
        return trace(packet) instanceof Trace.Delivered(var deliveries)
                ? deliveries.stream()
                        .map(one -> Trace.Delivered.to(List.of(one)))
                        .collect(Collectors.toSet())
                : Set.of(trace(packet));
    }

    private Optional<Client> client(Packet packet) {
        return find("gate " + packet.source().family(), Gate.class)
                .flatMap(gate -> portal(packet, gate))
                .filter(portal ->
                        portal.action() instanceof Action.Relay relay && relay.affinity() instanceof Affinity.ClientIp)
                .map(portal -> new Client(portal.service(), packet.source()));
    }

    private Optional<Portal> portal(Packet packet, Gate gate) {
        boolean inside = packet.entrance() == Packet.Entrance.NODE || isPod(packet, gate);
        Optional<Portal> byAddress = portal(place(packet), inside);
        if (byAddress.isPresent() || !answersAtNodePorts(packet.destination().ip(), gate)) {
            return byAddress;
        }
        PortalAddress nodePort = PortalAddress.ofNode(
                gate.family(), packet.protocol(), packet.destination().port());
        return portal(nodePort, inside);
    }

    private Optional<Portal> portal(PortalAddress place, boolean inside) {
        Optional<Portal> own = inside ? find(new Portal.Key(place, true), Portal.class) : Optional.empty();
        return own.isPresent() ? own : find(new Portal.Key(place, false), Portal.class);
    }

    private static PortalAddress place(Packet packet) {
        return PortalAddress.at(packet.destination(), packet.protocol());
    }

    private boolean answersAtNodePorts(Ip ip, Gate gate) {
        return ownAddresses.contains(ip) && isWithin(ip, gate.nodePorts());
    }

    private static boolean isPod(Packet packet, Gate gate) {
        return switch (gate.pods()) {
            case LocalPods.Networks(var networks) -> isWithin(packet.source(), networks);
            case LocalPods.Bridge(String name) -> packet.interfaceName().equals(name);
            case LocalPods.InterfacePrefix(String prefix) ->
                packet.interfaceName().startsWith(prefix);
            case LocalPods.Unknown _ -> false;
        };
    }

    private static boolean isWithin(Ip ip, List<Cidr> networks) {
        return networks.stream().anyMatch(network -> network.contains(ip));
    }

    private static Trace trace(Action action) {
        return switch (action) {
            case Action.Relay relay -> {
                List<Delivery> deliveries = relay.targets().stream()
                        .filter(target -> target.weight() > 0)
                        .map(target -> new Delivery(target.address(), true))
                        .toList();
                yield deliveries.isEmpty() ? new Trace.Refused() : Trace.Delivered.to(deliveries);
            }
            case Action.Refuse _ -> new Trace.Refused();
            case Action.Discard _ -> new Trace.Dropped();
        };
    }

    private Trace withoutPortal(Packet packet, Gate gate) {
        Ip ip = packet.destination().ip();
        if (find(new Closed(ip).key(), Closed.class).isPresent()) {
            return new Trace.Refused();
        }
        return isWithin(ip, gate.services()) ? new Trace.Dropped() : new Trace.Untouched();
    }

    private <T> Optional<T> find(Object key, Class<T> type) {
        return program.find(key).map(type::cast);
    }
}
