package io.fairlead.bench;

import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import java.util.Arrays;
import java.util.Locale;

/// One backend that programs one cluster: all of it from nothing, then one changed endpoint after the other.
///
/// The whole way is measured, from the Snapshot to the kernel's acknowledgement.
final class ProgrammingRun<E extends Entry> {
    static final String HEADER =
            "services,endpoints,entries,load_ms,restart_ms,change_p50_us,change_p99_us,change_max_us";

    private final Backend<E> backend;
    private final NodeFacts node;
    private final SyntheticCluster cluster;
    private final int warmUp;
    private Snapshot snapshot;
    private ForwardingTable table;
    private Program<E> program;

    ProgrammingRun(Backend<E> backend, NodeFacts node, SyntheticCluster cluster, int warmUp) {
        this.backend = backend;
        this.node = node;
        this.cluster = cluster;
        this.warmUp = warmUp;
        this.snapshot = cluster.snapshot();
        this.table = ForwardingTable.of(Snapshot.EMPTY, node);
        this.program = Program.of(backend.compiler(), table);
    }

    /// One CSV line, as [#HEADER] names it.
    String measure(int changes) {
        double load = millis(this::load);
        double restart = millis(this::checkThatNothingDiffers);
        long[] nanos = change(changes);
        return String.format(
                Locale.ROOT,
                "%d,%d,%d,%.1f,%.1f,%.1f,%.1f,%.1f",
                cluster.services(),
                cluster.endpoints(),
                program.size(),
                load,
                restart,
                nanos[changes / 2] / 1e3,
                nanos[changes * 99 / 100] / 1e3,
                nanos[changes - 1] / 1e3);
    }

    /// How long it takes to find what another program did to the kernel, and to make it good.
    double repairMillis() {
        return millis(() -> backend.apply(Patch.between(backend.observe(), program)));
    }

    private void load() {
        table = ForwardingTable.of(snapshot, node);
        program = Program.of(backend.compiler(), table);
        backend.apply(Patch.between(backend.observe(), program));
    }

    private void checkThatNothingDiffers() {
        Patch<E> patch = Patch.between(backend.observe(), Program.of(backend.compiler(), table));
        if (!patch.isEmpty()) {
            throw new IllegalStateException("the kernel does not hold what was wanted: " + patch.size());
        }
    }

    /// Replaces one endpoint of one Service after the other; gives the sorted times.
    private long[] change(int changes) {
        long[] nanos = new long[changes];
        for (int i = -warmUp; i < changes; i++) {
            int service = Math.floorMod(i * 7919, cluster.services());
            snapshot = snapshot.with(cluster.slice(service, i + warmUp + 1));
            long start = System.nanoTime();
            table = table.at(snapshot);
            Program<E> next = program.at(table, backend.compiler());
            backend.apply(Patch.between(program, next));
            long took = System.nanoTime() - start;
            program = next;
            if (i >= 0) {
                nanos[i] = took;
            }
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private static double millis(Runnable body) {
        long start = System.nanoTime();
        body.run();
        return (System.nanoTime() - start) / 1e6;
    }
}
