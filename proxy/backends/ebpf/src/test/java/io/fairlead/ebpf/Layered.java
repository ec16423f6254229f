package io.fairlead.ebpf;

import io.fairlead.api.IpPort;
import io.fairlead.forwarding.AffinityTracer;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import io.fairlead.forwarding.Tracer;
import io.fairlead.nftables.NftablesBackend;
import io.fairlead.nftables.NftablesEntry;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Both layers of the mode: what the programs leave untouched meets the rules of nftables. But for the one thing in
/// which
/// the mode differs by its nature: at an external address a pod is seen with its own.
record Layered(Tracer first, AffinityTracer below, Set<AddressKey> external) implements AffinityTracer {
    static Layered over(Program<EbpfEntry> program, ForwardingTable table, NodeFacts node) {
        try (NftablesBackend nftables = NftablesBackend.open(node)) {
            Program<NftablesEntry> rules = Program.of(nftables.compiler(), table);
            AffinityTracer below = (AffinityTracer) nftables.compiler().tracer(rules, node);
            return new Layered(new EbpfTracer(program), below, external(table));
        }
    }

    @Override
    public Trace trace(Packet packet) {
        Trace trace = first.trace(packet);
        Trace other = below.trace(packet);
        boolean byNature = external.contains(new AddressKey(packet.destination(), packet.protocol()))
                && trace instanceof Trace.Delivered(var some)
                && other instanceof Trace.Delivered(var others)
                && targets(some).equals(targets(others));
        return trace instanceof Trace.Untouched || byNature ? other : trace;
    }

    private static Set<IpPort> targets(Set<Delivery> deliveries) {
        return deliveries.stream().map(Delivery::target).collect(Collectors.toSet());
    }

    private static Set<AddressKey> external(ForwardingTable table) {
        return table.all()
                .map(Forwarding::frontend)
                .filter(frontend -> !(frontend instanceof Frontend.VirtualAddress))
                .flatMap(frontend -> frontend.address().stream()
                        .map(ip -> new AddressKey(new IpPort(ip, frontend.port()), frontend.protocol())))
                .collect(Collectors.toSet());
    }

    @Override
    public Set<List<Trace>> traceAll(List<Packet> packets) {
        return packets.stream().allMatch(packet -> first.trace(packet) instanceof Trace.Untouched)
                ? below.traceAll(packets)
                : Set.of(packets.stream().map(this::trace).toList());
    }
}
