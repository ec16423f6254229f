package io.fairlead.iptables;

import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ConnectionCounters;
import io.fairlead.forwarding.DriftWatch;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import io.fairlead.forwarding.TerseBackend;
import java.util.List;

/// Services as the classic chains of iptables, written with `iptables-restore`.
///
/// It works in the network namespace of the calling thread. A change takes some hundredths of a second and a large
/// one some seconds: call from a platform thread.
public final class IptablesBackend implements TerseBackend<IptablesEntry>, DriftWatch, ConnectionCounters {
    /// As in kube-proxy. The old packet filter takes a table whole, and comments are half of a large one.
    private static final int MOST_COMMENTED = 1_000;

    private final IptablesCompiler compiler;
    private final IptablesApplier applier;

    private IptablesBackend(NodeFacts node, IptablesApplier applier) {
        this.compiler = new IptablesCompiler(node, applier.traits());
        this.applier = applier;
    }

    /// With the packet filter that this machine uses.
    public static IptablesBackend open(NodeFacts node) {
        return new IptablesBackend(node, new IptablesApplier(Tools.find()));
    }

    /// With one packet filter, whatever the machine uses.
    public static IptablesBackend open(NodeFacts node, Variant variant) {
        return new IptablesBackend(node, new IptablesApplier(Tools.find(variant)));
    }

    @Override
    public Support support() {
        return applier.support();
    }

    @Override
    public List<IptablesEntry> foundation(NodeFacts node) {
        return compiler.foundation(node);
    }

    @Override
    public List<IptablesEntry> compile(List<Forwarding> rows) {
        return compiler.compile(rows);
    }

    @Override
    public boolean isTerse(int targets) {
        return targets > MOST_COMMENTED;
    }

    @Override
    public List<IptablesEntry> compileTersely(List<Forwarding> rows) {
        return compiler.compileTersely(rows);
    }

    @Override
    public Program<IptablesEntry> observe() {
        return applier.observe();
    }

    @Override
    public void apply(Patch<IptablesEntry> patch) {
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
