package io.fairlead.ebpf;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ConnectionCounters;
import io.fairlead.forwarding.DriftWatch;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import java.util.List;

/// Services at connect time, for the processes of this node: a layer above another backend, to which it leaves the
/// rest.
public final class EbpfBackend implements Backend<EbpfEntry>, DriftWatch, ConnectionCounters {
    private final EbpfCompiler compiler;
    private final EbpfApplier applier;

    private EbpfBackend(EbpfCompiler compiler, EbpfApplier applier) {
        this.compiler = compiler;
        this.applier = applier;
    }

    public static EbpfBackend open(NodeFacts node, EbpfSite site) {
        return new EbpfBackend(new EbpfCompiler(node.pods()), new EbpfApplier(site));
    }

    @Override
    public Support support() {
        return EbpfApplier.support();
    }

    @Override
    public List<EbpfEntry> foundation(NodeFacts node) {
        return EbpfCompiler.foundation();
    }

    @Override
    public List<EbpfEntry> compile(List<Forwarding> rows) {
        return compiler.compile(rows);
    }

    @Override
    public Program<EbpfEntry> observe() {
        return applier.observe();
    }

    @Override
    public void apply(Patch<EbpfEntry> patch) {
        applier.apply(patch);
    }

    @Override
    public boolean drifted() {
        return applier.drifted();
    }

    @Override
    public List<ConnectionCount> connections() {
        return applier.connections();
    }

    @Override
    public void close() {
        applier.close();
    }
}
