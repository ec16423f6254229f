package io.fairlead.nftables;

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

/// Services as elements of a few maps, sent over nfnetlink: no chain and no rule for a Service or an endpoint.
///
/// It works in the network namespace of the thread that first asks for the kernel. A large patch blocks its thread
/// for some tenths of a second: call from a platform thread.
public final class NftablesBackend implements Backend<NftablesEntry>, DriftWatch, ConnectionCounters {
    private final NodeFacts node;
    private final NftablesApplier applier = new NftablesApplier();

    private NftablesBackend(NodeFacts node) {
        this.node = node;
    }

    public static NftablesBackend open(NodeFacts node) {
        return new NftablesBackend(node);
    }

    @Override
    public Support support() {
        return NftablesApplier.support(NftablesCompiler.sample(node));
    }

    @Override
    public List<NftablesEntry> foundation(NodeFacts node) {
        return NftablesCompiler.foundation(node);
    }

    @Override
    public List<NftablesEntry> compile(List<Forwarding> rows) {
        return NftablesCompiler.compile(rows);
    }

    @Override
    public Program<NftablesEntry> observe() {
        return applier.observe();
    }

    @Override
    public Program<NftablesEntry> baseline() {
        return applier.baseline();
    }

    @Override
    public void apply(Patch<NftablesEntry> patch) {
        applier.apply(patch);
    }

    @Override
    public boolean canDrift() {
        return applier.canDrift();
    }

    @Override
    public boolean drifted() {
        return applier.drifted();
    }

    @Override
    public List<ConnectionCount> connections() {
        return NftablesApplier.connections();
    }

    @Override
    public List<ConnectionCount> ending(Patch<?> patch) {
        return applier.ending(patch);
    }

    @Override
    public void close() {
        applier.close();
    }
}
