package io.fairlead.userspace;

import io.fairlead.forwarding.Abilities;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import java.util.stream.Stream;

/// Services as connections that this process makes itself: rules lead clients to a relay, and the relay chooses.
///
/// Its pods see the node as client. Connections end with the process, after they were drained.
public final class UserspaceBackend implements Backend<UserspaceEntry> {
    private final UserspaceCompiler compiler = new UserspaceCompiler();
    private final PacketFilter filter;
    private final UserspaceApplier applier;

    private UserspaceBackend(PacketFilter filter, Preamble preamble, RelayLimits limits) {
        this.filter = filter;
        this.applier = new UserspaceApplier(filter, preamble, limits);
    }

    /// With the packet filter that this machine has: nftables, or else the old one.
    public static UserspaceBackend open(Preamble preamble, RelayLimits limits) {
        PacketFilter nft = new NftFilter();
        PacketFilter found = nft.support() instanceof Support.Supported
                ? nft
                : Stream.of("-legacy", "")
                        .<PacketFilter>map(IptablesFilter::new)
                        .filter(filter -> filter.support() instanceof Support.Supported)
                        .findFirst()
                        .orElse(nft);
        return open(found, preamble, limits);
    }

    static UserspaceBackend open(PacketFilter filter, Preamble preamble, RelayLimits limits) {
        return new UserspaceBackend(filter, preamble, limits);
    }

    @Override
    public Support support() {
        return filter.support();
    }

    @Override
    public Compiler<UserspaceEntry> compiler() {
        return compiler;
    }

    @Override
    public Program<UserspaceEntry> observe(Extent extent) {
        return applier.observe();
    }

    @Override
    public void apply(Patch<UserspaceEntry> patch) {
        applier.apply(patch);
    }

    @Override
    public Abilities abilities() {
        return Abilities.PROCESS_BOUND
                .withCounters(applier)
                .withDrift(applier.watch())
                .withWake(applier);
    }

    @Override
    public void close() {
        applier.close();
    }
}
