package io.fairlead.nftables;

import io.fairlead.forwarding.Abilities;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;

/// Services as elements of a few maps, sent over nfnetlink: no chain and no rule for a Service or an endpoint.
///
/// It works in the network namespace of the thread that first asks for the kernel. A large patch blocks its
/// thread for some tenths of a second.
public final class NftablesBackend implements Backend<NftablesEntry> {
    private final NodeFacts node;
    private final NftablesCompiler compiler = new NftablesCompiler();
    private final NftablesApplier applier = new NftablesApplier();
    private final Abilities abilities = Abilities.DURABLE.withDrift(applier).withCounters(applier);

    private NftablesBackend(NodeFacts node) {
        this.node = node;
    }

    public static NftablesBackend open(NodeFacts node) {
        return new NftablesBackend(node);
    }

    /// Removes tables that another program has left, such as the `kube-proxy` of kube-proxy's mode nftables; true if
    /// there was one. Throws [io.fairlead.forwarding.ApplyException] if the kernel refuses.
    public static boolean removeForeignTables(String name) {
        return NftablesApplier.removeTables(name);
    }

    @Override
    public Support support() {
        return SupportReader.support(compiler.sample(node));
    }

    @Override
    public Compiler<NftablesEntry> compiler() {
        return compiler;
    }

    @Override
    public Program<NftablesEntry> observe(Extent extent) {
        return switch (extent) {
            case WHOLE -> applier.observe();
            case BASELINE -> applier.baseline();
        };
    }

    @Override
    public void apply(Patch<NftablesEntry> patch) {
        applier.apply(patch);
    }

    @Override
    public Abilities abilities() {
        return abilities;
    }

    @Override
    public void close() {
        applier.close();
    }
}
