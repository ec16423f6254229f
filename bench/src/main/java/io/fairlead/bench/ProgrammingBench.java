package io.fairlead.bench;

import io.fairlead.api.Cidr;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.nftables.NftablesBackend;
import io.fairlead.nftables.NftablesEntry;
import java.util.Arrays;
import java.util.List;

/// How long the kernel takes to be programmed: a whole cluster from nothing, and one changed endpoint.
///
/// The whole way is measured, from the Snapshot to the kernel's acknowledgement. It runs in a network namespace of
/// its own and sends no packet. Prints one CSV line a size.
public final class ProgrammingBench {
    private static final NodeFacts NODE = NodeFacts.of("node-1", List.of(Cidr.parse("10.128.0.0/9")));
    private static final int WARM_UP = 2_000;

    private ProgrammingBench() {}

    public static void main(String[] args) {
        int changes = args.length > 0 ? Integer.parseInt(args[0]) : 5_000;
        System.out.println("services,endpoints,entries,load_ms,restart_ms,change_p50_us,change_p99_us,change_max_us");
        for (SyntheticCluster cluster : List.of(new SyntheticCluster(1_000, 5), new SyntheticCluster(10_000, 10))) {
            NetworkNamespace namespace =
                    NetworkNamespace.create("flbench" + ProcessHandle.current().pid());
            try {
                namespace.run(() -> measure(cluster, changes));
            } finally {
                namespace.delete();
            }
        }
    }

    private static void measure(SyntheticCluster cluster, int changes) {
        Snapshot snapshot = cluster.snapshot();
        try (Backend<NftablesEntry> backend = NftablesBackend.open(NODE)) {
            long start = System.nanoTime();
            ForwardingTable table = ForwardingTable.of(snapshot, NODE);
            Program<NftablesEntry> program = Program.of(backend, table);
            backend.apply(Patch.between(backend.observe(), program));
            long load = System.nanoTime() - start;

            long again = System.nanoTime();
            Patch<NftablesEntry> nothing = Patch.between(backend.observe(), Program.of(backend, table));
            long restart = System.nanoTime() - again;
            if (!nothing.isEmpty()) {
                throw new IllegalStateException("the kernel does not hold what was wanted: " + nothing.size());
            }
            long[] nanos = change(cluster, new State(snapshot, table, program), backend, changes);
            System.out.printf(
                    "%d,%d,%d,%.1f,%.1f,%.1f,%.1f,%.1f%n",
                    cluster.services(),
                    cluster.endpoints(),
                    program.size(),
                    load / 1e6,
                    restart / 1e6,
                    nanos[changes / 2] / 1e3,
                    nanos[changes * 99 / 100] / 1e3,
                    nanos[changes - 1] / 1e3);
        }
    }

    private record State(Snapshot snapshot, ForwardingTable table, Program<NftablesEntry> program) {}

    /// Replaces one endpoint of one Service after the other; gives the sorted times.
    private static long[] change(SyntheticCluster cluster, State first, Backend<NftablesEntry> backend, int changes) {
        State state = first;
        long[] nanos = new long[changes];
        for (int i = -WARM_UP; i < changes; i++) {
            int service = Math.floorMod(i * 7919, cluster.services());
            Snapshot snapshot = state.snapshot().with(cluster.slice(service, i + WARM_UP + 1));
            long start = System.nanoTime();
            ForwardingTable table = state.table().at(snapshot);
            Program<NftablesEntry> program = state.program().at(table, backend);
            backend.apply(Patch.between(state.program(), program));
            long took = System.nanoTime() - start;
            if (i >= 0) {
                nanos[i] = took;
            }
            state = new State(snapshot, table, program);
        }
        Arrays.sort(nanos);
        return nanos;
    }
}
