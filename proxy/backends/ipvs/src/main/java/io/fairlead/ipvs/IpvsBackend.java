package io.fairlead.ipvs;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.DriftWatch;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import java.util.List;

/// Services as virtual servers of the kernel.
///
/// It works in the network namespace of the thread that opened it, and is called from that of one like it.
public final class IpvsBackend implements Backend<IpvsEntry>, DriftWatch {
    private final IpvsCompiler compiler;
    private final IpvsApplier applier;

    private IpvsBackend(NodeFacts node, IpvsOptions options) {
        this.compiler = new IpvsCompiler(node, options.scheduler());
        this.applier = new IpvsApplier(node, options);
    }

    public static IpvsBackend open(NodeFacts node, IpvsOptions options) {
        return new IpvsBackend(node, options);
    }

    @Override
    public Support support() {
        return applier.support();
    }

    @Override
    public List<IpvsEntry> foundation(NodeFacts node) {
        return compiler.foundation(node);
    }

    @Override
    public List<IpvsEntry> compile(List<Forwarding> rows) {
        return compiler.compile(rows);
    }

    @Override
    public Program<IpvsEntry> observe() {
        return applier.observe();
    }

    @Override
    public void apply(Patch<IpvsEntry> patch) {
        applier.apply(patch);
    }

    @Override
    public boolean drifted() {
        return applier.drifted();
    }

    @Override
    public void close() {
        applier.close();
    }
}
