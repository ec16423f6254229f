package io.fairlead.bench;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.ebpf.EbpfBackend;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Detail;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Masquerade;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.forwarding.Target;
import io.fairlead.forwarding.Verdict;
import io.fairlead.iptables.IptablesBackend;
import io.fairlead.iptables.Variant;
import io.fairlead.ipvs.IpvsBackend;
import io.fairlead.ipvs.IpvsOptions;
import io.fairlead.nftables.NftablesBackend;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Requests a second from pod to pod through a Service, beside those straight to the pod, mode by mode and by turns.
///
/// Prints one CSV line for each mode and kind of connection: the median, and its ratio to the direct way.
public final class ConnectBench {
    private static final NodeFacts NODE = NodeFacts.of("node-1", List.of(Cidr.parse("10.244.0.0/16")));
    private static final Ip VIP = Ip.parse("10.96.0.10");
    private final List<String> modes;
    private final Optional<BenchGroup> group;
    private final int seconds;

    private ConnectBench(List<String> modes, Optional<BenchGroup> group, int seconds) {
        this.modes = modes;
        this.group = group;
        this.seconds = seconds;
    }

    /// The arguments: how many rounds, how many seconds each, and the modes.
    public static void main(String[] args) throws IOException {
        List<String> modes = List.of(args).subList(2, args.length);
        System.out.println("connections,mode,requests_per_s,direct_per_s,ratio_to_direct");
        Optional<BenchGroup> group = modes.contains("ebpf") ? Optional.of(new BenchGroup()) : Optional.empty();
        try {
            ConnectBench bench = new ConnectBench(modes, group, Integer.parseInt(args[1]));
            for (boolean keepAlive : List.of(true, false)) {
                bench.measure(keepAlive, Integer.parseInt(args[0]));
            }
        } finally {
            group.ifPresent(BenchGroup::close);
        }
    }

    private void measure(boolean keepAlive, int rounds) throws IOException {
        Map<String, List<Pair>> pairs = new TreeMap<>();
        for (int round = 0; round < rounds; round++) {
            for (String mode : modes) {
                pairs.computeIfAbsent(mode, _ -> new ArrayList<>()).add(through(mode, keepAlive));
            }
        }
        pairs.forEach((mode, some) -> System.out.println(String.format(
                Locale.ROOT,
                "%s,%s,%.0f,%.0f,%.3f",
                keepAlive ? "kept" : "new",
                mode,
                median(some.stream().map(Pair::led)),
                median(some.stream().map(Pair::direct)),
                median(some.stream().map(pair -> pair.led / pair.direct)))));
    }

    /// Rates of one moment: through the Service, and straight to the pod.
    private record Pair(double led, double direct) {}

    /// Asks while something is in the kernel.
    private interface Measurement {
        double take() throws IOException;
    }

    /// The direct way is measured beside the same rules: what the kernel tracks, it tracks for both.
    private Pair through(String mode, boolean keepAlive) throws IOException {
        return new Pair(rate(mode, new IpPort(VIP, 80), keepAlive), rate(mode, ConnectNetwork.TARGET, keepAlive));
    }

    private double rate(String mode, IpPort to, boolean keepAlive) throws IOException {
        try (ConnectNetwork network = new ConnectNetwork()) {
            Measurement rate = () -> network.requests(group.map(BenchGroup::path), to, seconds, keepAlive);
            return switch (mode) {
                case "ebpf" ->
                    with(network, () -> NftablesBackend.open(NODE), () -> with(network, this::openEbpf, rate));
                case "nftables" -> with(network, () -> NftablesBackend.open(NODE), rate);
                case "iptables" -> with(network, () -> IptablesBackend.open(NODE, Variant.NFT), rate);
                case "iptables-legacy" -> with(network, () -> IptablesBackend.open(NODE, Variant.LEGACY), rate);
                case "ipvs" -> with(network, () -> IpvsBackend.open(NODE, IpvsOptions.DEFAULT), rate);
                default -> throw new IllegalArgumentException(mode);
            };
        }
    }

    private EbpfBackend openEbpf() {
        return EbpfBackend.open(NODE, group.orElseThrow().site());
    }

    /// With the Service in the kernel, and nothing of it afterwards.
    private static <E extends Entry> double with(
            ConnectNetwork network, Supplier<? extends Backend<E>> opener, Measurement measurement) throws IOException {
        try (Backend<E> backend = network.node.call(opener::get)) {
            List<E> entries = new ArrayList<>(backend.compiler().foundation(NODE));
            entries.addAll(
                    backend.compiler().compile(List.of(row()), Detail.FULL).entries());
            Program<E> program = Program.of(entries);
            Program<E> nothing = Program.of(List.of());
            network.node.run(() -> backend.apply(Patch.between(nothing, program)));
            try {
                return measurement.take();
            } finally {
                network.node.run(() -> backend.apply(Patch.between(program, nothing)));
            }
        }
    }

    private static Forwarding row() {
        ServicePortName name = new ServicePortName(new NamespacedName("default", "web"), "", Protocol.TCP);
        Target target = new Target(ConnectNetwork.TARGET, true);
        return Forwarding.of(
                new Frontend.VirtualAddress(VIP, Protocol.TCP, 80),
                name,
                new Verdict.SendTo(List.of(target)),
                Masquerade.OFF_CLUSTER);
    }

    private static double median(Stream<Double> numbers) {
        List<Double> sorted = numbers.sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
