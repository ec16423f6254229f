package io.fairlead.ebpf;

import io.fairlead.forwarding.Abilities;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;

/// Services at connect time, for the processes of this node: a layer above another backend, which leads the rest.
public final class EbpfBackend implements Backend<EbpfEntry> {
    private final EbpfCompiler compiler;
    private final EbpfApplier applier;
    private final Abilities abilities;

    private EbpfBackend(EbpfCompiler compiler, EbpfApplier applier) {
        this.compiler = compiler;
        this.applier = applier;
        this.abilities = Abilities.DURABLE
                .withDrift(applier)
                .withCounters(applier)
                .withEffect(applier)
                .withWake(applier);
    }

    public static EbpfBackend open(NodeFacts node, EbpfSite site) {
        return new EbpfBackend(new EbpfCompiler(node.pods(), node.answered()), new EbpfApplier(site));
    }

    @Override
    public Support support() {
        return EbpfApplier.support();
    }

    @Override
    public Compiler<EbpfEntry> compiler() {
        return compiler;
    }

    @Override
    public Program<EbpfEntry> observe(Extent extent) {
        return applier.observe();
    }

    @Override
    public void apply(Patch<EbpfEntry> patch) {
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
