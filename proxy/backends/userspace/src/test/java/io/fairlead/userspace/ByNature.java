package io.fairlead.userspace;

import io.fairlead.api.Protocol;
import io.fairlead.forwarding.AffinityTracer;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.forwarding.Tracer;
import io.fairlead.testkit.MemoryCompiler;
import io.fairlead.testkit.MemoryTracer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The tracer of this mode, but for the two things in which it differs by its nature: the pod sees the node as
/// client, and SCTP is refused. All else must be as the table says.
final class ByNature implements AffinityTracer {
    private final UserspaceTracer tracer;
    private final Tracer table;

    ByNature(ForwardingTable table, NodeFacts node) {
        this.tracer = new UserspaceTracer(Program.of(new UserspaceCompiler(), table), node.addresses());
        this.table = new MemoryTracer(Program.of(new MemoryCompiler(), table), node);
    }

    @Override
    public Trace trace(Packet packet) {
        return asTheTable(packet, tracer.trace(packet));
    }

    @Override
    public Set<List<Trace>> traceAll(List<Packet> packets) {
        return tracer.traceAll(packets);
    }

    private Trace asTheTable(Packet packet, Trace own) {
        if (!(table.trace(packet) instanceof Trace.Delivered(var wanted))) {
            return own;
        }
        if (packet.protocol() == Protocol.SCTP && own instanceof Trace.Refused) {
            return new Trace.Delivered(wanted);
        }
        if (!(own instanceof Trace.Delivered(var deliveries))) {
            return own;
        }
        return new Trace.Delivered(deliveries.stream()
                .map(one ->
                        wanted.contains(new Delivery(one.target(), false)) ? new Delivery(one.target(), false) : one)
                .collect(Collectors.toSet()));
    }
}
