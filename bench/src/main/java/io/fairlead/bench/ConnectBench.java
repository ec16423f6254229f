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
import io.fairlead.nftables.NftablesBackend;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Requests a second from pod to pod through a Service, beside those straight to the pod, mode by mode and by turns.
///
/// Prints one CSV line for each mode and kind of connection: the median, and its ratio to the direct way.
public final class ConnectBench {
    private static final NodeFacts NODE = NodeFacts.of("node-1", List.of(Cidr.parse("10.244.0.0/16")));
    private static final Ip VIP = Ip.parse("10.96.0.10");
    private static final List<String> MODES = List.of("ebpf", "nftables", "iptables");

    private final ConnectNetwork network;
    private final BenchGroup group;
    private final int seconds;

    private ConnectBench(ConnectNetwork network, BenchGroup group, int seconds) {
        this.network = network;
        this.group = group;
        this.seconds = seconds;
    }

    public static void main(String[] args) throws IOException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        System.out.println("connections,mode,requests_per_s,direct_per_s,ratio_to_direct");
        try (ConnectNetwork network = new ConnectNetwork();
                BenchGroup group = new BenchGroup()) {
            ConnectBench bench = new ConnectBench(network, group, seconds);
            for (boolean keepAlive : List.of(true, false)) {
                bench.measure(keepAlive, rounds);
            }
        }
    }

    private void measure(boolean keepAlive, int rounds) throws IOException {
        Map<String, List<Pair>> pairs = new TreeMap<>();
        for (int round = 0; round < rounds; round++) {
            for (String mode : MODES) {
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

    /// Measures while something is in the kernel.
    private interface Measurement {
        Pair take() throws IOException;
    }

    private Pair through(String mode, boolean keepAlive) throws IOException {
        Measurement rates = () -> new Pair(
                network.requests(group.path(), VIP, 80, seconds, keepAlive),
                network.requests(group.path(), ConnectNetwork.SERVER, ConnectNetwork.PORT, seconds, keepAlive));
        return switch (mode) {
            case "ebpf" -> with(NftablesBackend.open(NODE), () -> with(EbpfBackend.open(NODE, group.site()), rates));
            case "nftables" -> with(NftablesBackend.open(NODE), rates);
            case "iptables" -> with(IptablesBackend.open(NODE, Variant.NFT), rates);
            default -> throw new IllegalArgumentException(mode);
        };
    }

    /// With the Service in the kernel, and nothing of it afterwards.
    private <E extends Entry> Pair with(Backend<E> opened, Measurement measurement) throws IOException {
        try (Backend<E> backend = opened) {
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
        Target target = new Target(new IpPort(ConnectNetwork.SERVER, ConnectNetwork.PORT), true);
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
