package io.fairlead.bench;

import io.fairlead.ebpf.EbpfBackend;
import io.fairlead.ebpf.EbpfEntry;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// How long the kernel takes to be programmed by the layer ebpf: a whole cluster from nothing, and one changed
/// endpoint.
///
/// In a control group of its own, which is empty. Prints one CSV line a size.
public final class EbpfBench {
    private static final int WARM_UP = 2_000;

    private EbpfBench() {}

    public static void main(String[] args) {
        int changes = args.length > 0 ? Integer.parseInt(args[0]) : 5_000;
        System.out.println(ProgrammingRun.HEADER + ",apply_ms");
        for (SyntheticCluster cluster : List.of(new SyntheticCluster(1_000, 5), new SyntheticCluster(10_000, 10))) {
            try (BenchGroup group = new BenchGroup();
                    EbpfBackend backend = EbpfBackend.open(ProgrammingBench.NODE, group.site())) {
                String line = new ProgrammingRun<>(backend, ProgrammingBench.NODE, cluster, WARM_UP).measure(changes);
                System.out.println(line + "," + applyMillis(backend));
            }
        }
    }

    /// What the kernel takes of it: the same program once more from nothing, as bytes and system calls alone.
    private static long applyMillis(EbpfBackend backend) {
        Program<EbpfEntry> nothing = Program.of(List.of());
        Program<EbpfEntry> program = backend.observe();
        backend.apply(Patch.between(program, nothing));
        Patch<EbpfEntry> patch = Patch.between(nothing, program);
        long start = System.nanoTime();
        backend.apply(patch);
        long nanos = System.nanoTime() - start;
        backend.apply(Patch.between(program, nothing));
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
