package io.fairlead.testkit;

import io.fairlead.api.Ip;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Verdict;
import io.fairlead.testkit.Trace.Delivery;
import java.util.Optional;

/// What the Program of a [MemoryBackend] does with packets.
public final class MemoryTracer implements PacketTracer {
    private final Program<MemoryEntry> program;
    private final ScenarioNode node;

    public MemoryTracer(Program<MemoryEntry> program, ScenarioNode node) {
        this.program = program;
        this.node = node;
    }

    @Override
    public Trace trace(Packet packet) {
        return door(packet).map(row -> trace(packet, row)).orElseGet(Trace.Untouched::new);
    }

    private Optional<Forwarding> door(Packet packet) {
        Ip ip = packet.destination().ip();
        int port = packet.destination().port();
        Optional<MemoryEntry> entry = program.find(new Frontend.VirtualAddress(ip, packet.protocol(), port));
        if (entry.isEmpty() && node.addresses().contains(ip)) {
            entry = program.find(new Frontend.NodePort(ip.family(), packet.protocol(), port));
        }
        return entry.map(found -> ((MemoryEntry.Door) found).row());
    }

    private Trace trace(Packet packet, Forwarding row) {
        return switch (row.verdict()) {
            case Verdict.SendTo(var targets) ->
                Trace.Delivered.to(targets.stream()
                        .map(target -> new Delivery(
                                target.address(),
                                isMasqueraded(packet.source(), target.address().ip(), row)))
                        .toList());
            case Verdict.Reject _ -> new Trace.Refused();
            case Verdict.Drop _ -> new Trace.Dropped();
        };
    }

    private boolean isMasqueraded(Ip source, Ip target, Forwarding row) {
        boolean toItself = source.equals(target)
                && program.find(new MemoryEntry.Hairpin(target)).isPresent();
        return toItself
                || switch (row.masquerade()) {
                    case ALWAYS -> true;
                    case NEVER -> false;
                    case FROM_NODE -> node.addresses().contains(source);
                    case OFF_CLUSTER ->
                        Scenario.POD_NETWORKS.stream().noneMatch(network -> network.contains(source));
                };
    }
}
