package io.fairlead.ipvs;

import io.fairlead.forwarding.Abilities;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.DriftWatch;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.Support;
import io.fairlead.forwarding.Wake;
import io.fairlead.ipvs.IpvsReader.Sockets;
import io.fairlead.kernel.KernelException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Services as virtual servers of the kernel.
///
/// It works in the network namespace of the thread that opened it, and is called from that of one like it.
public final class IpvsBackend implements Backend<IpvsEntry> {
    private final IpvsCompiler compiler;
    private final IpvsApplier applier;
    private final CountReader counters;

    private IpvsBackend(NodeFacts node, IpvsOptions options) {
        this.compiler = new IpvsCompiler(node, options.scheduler());
        this.applier = new IpvsApplier(node, options);
        this.counters = new CountReader(applier.owners());
    }

    public static IpvsBackend open(NodeFacts node, IpvsOptions options) {
        return new IpvsBackend(
                node,
                node.scheduler() == Scheduler.NODE_DEFAULT
                        ? options
                        : options.withScheduler(node.scheduler().toString()));
    }

    @Override
    public Support support() {
        return applier.support();
    }

    @Override
    public Compiler<IpvsEntry> compiler() {
        return compiler;
    }

    @Override
    public Program<IpvsEntry> observe(Extent extent) {
        return applier.observe();
    }

    @Override
    public void apply(Patch<IpvsEntry> patch) {
        applier.apply(patch);
    }

    /// It tells of changes that others made, and wakes up for real servers that are on their way out.
    @Override
    public Abilities abilities() {
        return Abilities.DURABLE.withDrift(drift()).withCounters(counters).withWake(new Wake() {
            @Override
            public Optional<Duration> nextLook() {
                return applier.leaving().nextLook();
            }

            @Override
            public void look() {
                try {
                    applier.leaving().look();
                } catch (KernelException e) {
                    throw new ApplyException("real servers cannot be looked at", e);
                }
            }
        });
    }

    private DriftWatch drift() {
        return new DriftWatch() {
            @Override
            public boolean drifted() {
                return applier.drifted();
            }

            @Override
            public List<String> findings() {
                return applier.findings();
            }

            @Override
            public void compareNow() {
                applier.compareNow();
            }
        };
    }

    /// Whether the kernel has IPVS: where it has not, nothing can be left of it.
    public static boolean isThere() {
        try (Sockets sockets = Sockets.open()) {
            return sockets.ipvs().isPresent();
        }
    }

    @Override
    public void close() {
        counters.close();
        applier.close();
    }
}
