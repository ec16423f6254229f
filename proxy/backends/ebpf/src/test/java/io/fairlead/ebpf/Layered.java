package io.fairlead.ebpf;

import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.testkit.MemoryBackend;
import io.fairlead.testkit.MemoryKernel;
import io.fairlead.testkit.MemoryTracer;
import io.fairlead.testkit.PacketTracer;
import io.fairlead.testkit.Trace;

/// Both layers: what the programs leave untouched, the rows of the table say.
final class Layered {
    private Layered() {}

    static PacketTracer over(Program<EbpfEntry> program, ForwardingTable table, NodeFacts node) {
        EbpfTracer first = new EbpfTracer(program);
        PacketTracer below = new MemoryTracer(Program.of(new MemoryBackend(new MemoryKernel()), table), node);
        return packet -> first.trace(packet) instanceof Trace.Untouched ? below.trace(packet) : first.trace(packet);
    }
}
