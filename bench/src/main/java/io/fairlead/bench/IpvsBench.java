package io.fairlead.bench;

import io.fairlead.ipvs.IpvsBackend;
import io.fairlead.ipvs.IpvsOptions;

/// The same as [ProgrammingBench] for the mode ipvs, with few and with many Services; in the guest of
/// `testkit/ipvs-vm`.
public final class IpvsBench {
    private static final int WARM_UP = 100;

    private IpvsBench() {}

    public static void main(String[] args) {
        int changes = args.length > 0 ? Integer.parseInt(args[0]) : 300;
        System.out.println(ProgrammingRun.HEADER);
        for (int services : new int[] {100, 2_000}) {
            ProgrammingBench.inNamespace(() -> measure(services, changes));
        }
    }

    private static void measure(int services, int changes) {
        try (IpvsBackend backend = IpvsBackend.open(ProgrammingBench.NODE, IpvsOptions.DEFAULT)) {
            var run = new ProgrammingRun<>(backend, ProgrammingBench.NODE, new SyntheticCluster(services, 5), WARM_UP);
            System.out.println(run.measure(changes));
        }
    }
}
