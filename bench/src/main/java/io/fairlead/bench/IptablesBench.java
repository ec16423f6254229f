package io.fairlead.bench;

import io.fairlead.iptables.IptablesBackend;
import io.fairlead.iptables.Variant;
import io.fairlead.kernel.Command;
import java.util.List;
import java.util.Locale;

/// The same as [ProgrammingBench] for the mode iptables, on both packet filters; and how long the repair takes
/// when another program flushed the table nat.
public final class IptablesBench {
    private static final int WARM_UP = 20;

    private IptablesBench() {}

    public static void main(String[] args) {
        int changes = args.length > 0 ? Integer.parseInt(args[0]) : 300;
        System.out.println("variant," + ProgrammingRun.HEADER + ",repair_ms");
        for (Variant variant : Variant.values()) {
            ProgrammingBench.inNamespace(() -> measure(variant, changes));
        }
    }

    private static void measure(Variant variant, int changes) {
        try (IptablesBackend backend = IptablesBackend.open(ProgrammingBench.NODE, variant)) {
            var run = new ProgrammingRun<>(backend, ProgrammingBench.NODE, new SyntheticCluster(1_000, 5), WARM_UP);
            String line = run.measure(changes);
            Command.run(List.of("iptables-" + variant, "-w", "-t", "nat", "-F"), "");
            if (!backend.abilities().drift().orElseThrow().drifted()) {
                throw new IllegalStateException("a flush was not noticed");
            }
            System.out.printf(Locale.ROOT, "%s,%s,%.1f%n", variant, line, run.repairMillis());
        }
    }
}
