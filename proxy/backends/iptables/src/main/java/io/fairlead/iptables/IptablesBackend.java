package io.fairlead.iptables;

import io.fairlead.forwarding.Abilities;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import java.util.List;

/// Services as the classic chains of iptables, written with `iptables-restore`.
///
/// It works in the network namespace of the calling thread. A change takes some hundredths of a second and a
/// large one some seconds: call from a platform thread.
public final class IptablesBackend implements Backend<IptablesEntry> {
    private final IptablesCompiler compiler;
    private final IptablesApplier applier;
    private final Abilities abilities;

    private IptablesBackend(NodeFacts node, IptablesApplier applier) {
        this.compiler = new IptablesCompiler(node, applier.traits());
        this.applier = applier;
        this.abilities = Abilities.DURABLE.withDrift(applier::drifted).withCounters(applier::connections);
    }

    /// With the packet filter that this machine uses.
    public static IptablesBackend open(NodeFacts node) {
        return new IptablesBackend(node, new IptablesApplier(ToolsReader.find()));
    }

    /// With one packet filter, whatever the machine uses.
    public static IptablesBackend open(NodeFacts node, Variant variant) {
        return new IptablesBackend(node, new IptablesApplier(ToolsReader.find(variant)));
    }

    @Override
    public Support support() {
        return applier.support();
    }

    @Override
    public Compiler<IptablesEntry> compiler() {
        return compiler;
    }

    @Override
    public Program<IptablesEntry> observe(Extent extent) {
        return applier.observe();
    }

    @Override
    public void apply(Patch<IptablesEntry> patch) {
        applier.apply(patch);
    }

    @Override
    public Abilities abilities() {
        return abilities;
    }

    /// How many rules of ours there are, table by table.
    public List<TableRules> rules() {
        return applier.rules();
    }

    /// What the rules show that count packets, one a family where there is such a rule; throws
    /// [io.fairlead.forwarding.ApplyException] if they cannot be read.
    public List<PacketCount> packets(PacketCount.Subject subject) {
        return applier.packets(subject);
    }

    /// There is nothing to let go of.
    @Override
    public void close() {}
}
