package io.fairlead.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// What a user of `fairlead proxy` sees: how soon Services answer, how soon a change is in force, what it costs.
///
/// The API server and the proxy are those of the distribution, each a process of its own; all else is measured by this
/// one process, with real connections. Prints lines of `what,mode,services,endpoints,value,unit,bar`.
final class ProxyBench {
    private static final int WARM_UP = 300;
    private static final int ROUNDS = 100;
    private static final int STARTS = 5;
    private static final long WARM_UP_NANOS = 1_000_000_000L;
    private static final long ROUND_NANOS = 100_000_000L;
    private static final ServedCluster TINY = new ServedCluster(10, 10);
    private static final ServedCluster MEDIUM = new ServedCluster(1_000, 5);
    private static final ServedCluster LARGE = new ServedCluster(10_000, 10);

    private final Path launcher;
    private final Path folder;
    private final int changes;

    private ProxyBench(Path launcher, Path folder, int changes) {
        this.launcher = launcher;
        this.folder = folder;
        this.changes = changes;
    }

    /// `java … ProxyBench LAUNCHER FOLDER CHANGES [PART…]`: the folder stays the caller's to remove.
    public static void main(String[] args) throws Exception {
        ProxyBench bench = new ProxyBench(Path.of(args[0]), Path.of(args[1]), Integer.parseInt(args[2]));
        bench.run(
                args.length > 3
                        ? List.of(args).subList(3, args.length)
                        : List.of("medium", "iptables-nft", "iptables-legacy", "large"));
    }

    @SuppressWarnings("SystemOut") // the results are the output
    private void run(List<String> parts) throws Exception {
        System.out.println("what,mode,services,endpoints,value,unit,bar");
        for (String part : parts) {
            switch (part) {
                case "medium" -> medium();
                case "iptables-nft" -> iptables("nft");
                case "iptables-legacy" -> iptables("legacy");
                case "large" -> large();
                default -> throw new IllegalArgumentException("there is no part " + part);
            }
        }
    }

    private void medium() throws Exception {
        Lines lines = new Lines("nftables", MEDIUM);
        try (ProxyRun run = open("medium", MEDIUM)) {
            start(run, lines, 1_300);
            double cpu = changes(run, lines);
            lines.print("CPU per change", cpu, "ms", "2");
        }
    }

    private void large() throws Exception {
        Lines lines = new Lines("nftables", LARGE);
        try (ProxyRun run = open("large", LARGE);
                ProxyRun tiny = open("tiny", TINY)) {
            start(run, lines, 3_000);
            lines.print("CPU per change", changes(run, lines), "ms", "");
            lines.print("RSS", run.proxy().megabytes("VmRSS"), "MB", "150");
            lines.print("RSS at most", run.proxy().megabytes("VmHWM"), "MB", "");
            tiny.startProxy("nftables", Map.of());
            rate(run, tiny, lines);
        }
    }

    private void iptables(String variant) throws Exception {
        Lines lines = new Lines("iptables-" + variant, MEDIUM);
        try (ProxyRun run = open("iptables-" + variant, MEDIUM)) {
            ProxyRun.Start start = run.startProxy("iptables", Map.of("FAIRLEAD_IPTABLES", variant));
            lines.print("start to every VIP", start.everyAnswer(), "ms", "");
            run.change(WARM_UP / 10);
            double[] millis = run.change(changes / 10);
            lines.print("change p50", millis[millis.length / 2], "ms", "120");
            lines.print("change p99", millis[millis.length * 99 / 100], "ms", "");
        }
    }

    private ProxyRun open(String name, ServedCluster cluster) throws Exception {
        return ProxyRun.open(launcher, folder.resolve(name), cluster);
    }

    private static void start(ProxyRun run, Lines lines, int bar) throws InterruptedException {
        List<ProxyRun.Start> starts = new ArrayList<>();
        run.startAndRemove();
        for (int i = 1; i < STARTS; i++) {
            starts.add(run.startAndRemove());
        }
        starts.add(run.startProxy("nftables", Map.of()));
        lines.print("start to first VIP", median(starts, ProxyRun.Start::firstAnswer), "ms", "");
        lines.print("start to every VIP", median(starts, ProxyRun.Start::everyAnswer), "ms", Integer.toString(bar));
        lines.print("CPU of the start", median(starts, ProxyRun.Start::proxyCpu), "ms", "");
        lines.print("CPU of the API server at the start", median(starts, ProxyRun.Start::serverCpu), "ms", "");
        lines.print("RSS after the start", run.proxy().megabytes("VmRSS"), "MB", "");
    }

    /// Prints how long changes take, and gives what one costs the proxy.
    private double changes(ProxyRun run, Lines lines) {
        run.change(WARM_UP);
        double before = run.proxy().cpuMillis();
        double[] millis = run.change(changes);
        double cpu = (run.proxy().cpuMillis() - before) / changes;
        lines.print("change p50", millis[changes / 2], "ms", "5");
        lines.print("change p99", millis[changes * 99 / 100], "ms", "20");
        return cpu;
    }

    /// By turns, each for a moment: the machine is quicker in one second than in the next, and a pair of turns is
    /// compared with itself alone.
    private static void rate(ProxyRun large, ProxyRun tiny, Lines lines) {
        large.connections(WARM_UP_NANOS);
        tiny.connections(WARM_UP_NANOS);
        double[] many = new double[ROUNDS];
        double[] few = new double[ROUNDS];
        double[] ratios = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            many[round] = large.connections(ROUND_NANOS) * 1e9 / ROUND_NANOS;
            few[round] = tiny.connections(ROUND_NANOS) * 1e9 / ROUND_NANOS;
            ratios[round] = many[round] / few[round];
        }
        lines.print("new connections to a VIP", median(many), "1/s", "");
        lines.print("new connections to a VIP of 10 Services", median(few), "1/s", "");
        lines.print("ratio of the two", median(ratios), "", "at least 0.95");
    }

    private static double median(List<ProxyRun.Start> starts, ToDoubleFunction<ProxyRun.Start> value) {
        return median(starts.stream().mapToDouble(value).toArray());
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /// The lines about one cluster in one mode.
    private record Lines(String mode, ServedCluster cluster) {
        @SuppressWarnings("SystemOut") // the results are the output
        void print(String what, double value, String unit, String bar) {
            System.out.printf(
                    Locale.ROOT,
                    "%s,%s,%d,%d,%.2f,%s,%s%n",
                    what,
                    mode,
                    cluster.services(),
                    cluster.endpoints(),
                    value,
                    unit,
                    bar);
        }
    }
}
