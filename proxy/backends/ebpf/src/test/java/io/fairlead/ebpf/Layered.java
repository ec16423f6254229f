package io.fairlead.ebpf;

import io.fairlead.forwarding.AffinityTracer;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Tracer;
import io.fairlead.nftables.NftablesBackend;
import io.fairlead.nftables.NftablesEntry;
import java.util.List;
import java.util.Set;

/// Both layers of the mode: what the programs leave untouched meets the rules of nftables.
record Layered(Tracer first, AffinityTracer below) implements AffinityTracer {
    static Layered over(Program<EbpfEntry> program, ForwardingTable table, NodeFacts node) {
        try (NftablesBackend nftables = NftablesBackend.open(node)) {
            Program<NftablesEntry> rules = Program.of(nftables.compiler(), table);
            AffinityTracer below = (AffinityTracer) nftables.compiler().tracer(rules, node);
            return new Layered(new EbpfTracer(program), below);
        }
    }

    @Override
    public Trace trace(Packet packet) {
        Trace trace = first.trace(packet);
        return trace instanceof Trace.Untouched ? below.trace(packet) : trace;
    }

    @Override
    public Set<List<Trace>> traceAll(List<Packet> packets) {
        return packets.stream().allMatch(packet -> first.trace(packet) instanceof Trace.Untouched)
                ? below.traceAll(packets)
                : Set.of(packets.stream().map(this::trace).toList());
    }
}
