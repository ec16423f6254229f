package io.fairlead.testkit;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.LocalPods;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Packet.Entrance;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.forwarding.Tracer;
import io.fairlead.forwarding.Verdict;
import io.fairlead.testkit.MemoryEntry.Door;
import java.util.Optional;
import java.util.stream.Stream;

/// What the rows of a table mean for packets, read straight from them: what every backend must come to.
public final class MemoryTracer implements Tracer {
    private final Program<MemoryEntry> program;
    private final NodeFacts node;

    public MemoryTracer(Program<MemoryEntry> program, NodeFacts node) {
        this.program = program;
        this.node = node;
    }

    @Override
    public Trace trace(Packet packet) {
        return door(packet).map(row -> trace(packet, row)).orElseGet(() -> withoutDoor(packet));
    }

    private Optional<Forwarding> door(Packet packet) {
        return frontends(packet)
                .flatMap(frontend -> program.find(frontend).stream())
                .map(entry -> ((Door) entry).row())
                .findFirst();
    }

    private Stream<Frontend> frontends(Packet packet) {
        Ip ip = packet.destination().ip();
        Protocol protocol = packet.protocol();
        int port = packet.destination().port();
        Stream<Frontend> addresses = Stream.of(
                new Frontend.VirtualAddress(ip, protocol, port),
                new Frontend.LoadBalancerAddress(ip, protocol, port),
                new Frontend.ExternalAddress(ip, protocol, port));
        return answersAtNodePorts(ip)
                ? Stream.concat(addresses, Stream.of(new Frontend.NodePort(ip.family(), protocol, port)))
                : addresses;
    }

    private boolean answersAtNodePorts(Ip ip) {
        return node.addresses().contains(ip)
                && node.nodePortNetworks(ip.family()).stream().anyMatch(network -> network.contains(ip));
    }

    private Trace withoutDoor(Packet packet) {
        Ip ip = packet.destination().ip();
        boolean others = program.entries()
                .anyMatch(entry -> entry instanceof Door(Forwarding row)
                        && row.refusesOtherPorts()
                        && row.frontend().address().filter(ip::equals).isPresent());
        if (others) {
            return new Trace.Refused();
        }
        return node.serviceNetworks().stream().anyMatch(network -> network.contains(ip))
                ? new Trace.Dropped()
                : new Trace.Untouched();
    }

    private Trace trace(Packet packet, Forwarding row) {
        if (!row.sources().contains(packet.source())) {
            return new Trace.Dropped();
        }
        return switch (isInside(packet) ? row.inside() : row.verdict()) {
            case Verdict.SendTo(var targets) ->
                Trace.Delivered.to(targets.stream()
                        .map(target -> new Delivery(
                                target.address(),
                                isMasqueraded(packet, target.address().ip(), row)))
                        .toList());
            case Verdict.Reject _ -> new Trace.Refused();
            case Verdict.Drop _ -> new Trace.Dropped();
        };
    }

    private boolean isInside(Packet packet) {
        return packet.entrance() == Entrance.NODE || isPod(packet);
    }

    private boolean isPod(Packet packet) {
        return switch (node.pods()) {
            case LocalPods.Networks(var networks) ->
                networks.stream().anyMatch(network -> network.contains(packet.source()));
            case LocalPods.Bridge(String name) -> packet.interfaceName().equals(name);
            case LocalPods.InterfacePrefix(String prefix) ->
                packet.interfaceName().startsWith(prefix);
            case LocalPods.Unknown _ -> false;
        };
    }

    private boolean isMasqueraded(Packet packet, Ip target, Forwarding row) {
        Ip source = packet.source();
        if (packet.entrance() != Entrance.NODE && node.addresses().contains(target)) {
            return false; // it came to stay: what goes to the node itself is never given another source
        }
        boolean toItself = source.equals(target)
                && program.find(new MemoryEntry.Hairpin(target)).isPresent();
        return toItself
                || switch (row.masquerade()) {
                    case NEVER -> false;
                    case ALWAYS -> true;
                    case FROM_NODE -> packet.entrance() == Entrance.NODE;
                    case OFF_CLUSTER -> isKnown(source.family()) && !isPod(packet);
                };
    }

    private boolean isKnown(Family family) {
        return node.pods().isKnown(family);
    }
}
