package io.fairlead.ipvs;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Compiled;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Tracer;
import io.fairlead.ipvs.IpvsEntry.Device;
import java.util.ArrayList;
import java.util.List;

/// From the rows of a Service to the entries it needs. Pure.
///
/// A change of one endpoint is one message for each frontend; no rule is written for a Service, ever.
final class IpvsCompiler implements Compiler<IpvsEntry> {
    private final Marks marks;
    private final String scheduler;

    /// `scheduler` is for Services that ask for none.
    IpvsCompiler(NodeFacts node, String scheduler) {
        this.marks = new Marks(node.masqueradeBit());
        this.scheduler = scheduler;
    }

    @Override
    public List<IpvsEntry> foundation(NodeFacts now) {
        List<IpvsEntry> entries = new ArrayList<>(List.of(new Device()));
        for (Family family : Family.values()) {
            entries.addAll(Foundation.of(family, now));
        }
        return entries;
    }

    @Override
    public Compiled<IpvsEntry> compile(List<Forwarding> rows, Detail detail) {
        return Compiled.of(RowEntries.of(rows, marks, scheduler));
    }

    @Override
    public Tracer tracer(Program<IpvsEntry> program, NodeFacts now) {
        return new IpvsTracer(program, now.addresses());
    }
}
