package io.fairlead.sync;

import io.fairlead.ebpf.EbpfBackend;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Support;
import io.fairlead.iptables.IptablesBackend;
import io.fairlead.iptables.Variant;
import io.fairlead.ipvs.IpvsBackend;
import io.fairlead.nftables.NftablesBackend;
import io.fairlead.sync.Mode.FailureMetrics;
import io.fairlead.sync.Mode.Layer;
import io.fairlead.sync.Mode.Sweep;
import io.fairlead.userspace.Preamble;
import io.fairlead.userspace.RelayLimits;
import io.fairlead.userspace.UserspaceBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Every proxy mode there is: the one place that names them.
public final class ProxyModes {
    /// The variable that names the packet filter of the mode iptables.
    private static final String IPTABLES_VARIANT = "FAIRLEAD_IPTABLES";

    /// The variable that turns on the PROXY protocol in the mode userspace.
    private static final String PREAMBLE = "FAIRLEAD_PROXY_PROTOCOL";

    private static final Layer NFTABLES_LAYER = Layer.of("nftables", NftablesBackend::open);

    private static final Layer IPTABLES_LAYER = new Layer(
            "iptables",
            ProxyModes::iptables,
            List.of(
                    new Sweep("mode iptables", node -> IptablesBackend.open(node, Variant.NFT)),
                    new Sweep(
                            "mode iptables (legacy)",
                            node -> IptablesBackend.open(node, Variant.LEGACY),
                            ProxyModes::hasLegacyTables)));

    private static final Layer EBPF_LAYER = Layer.of("ebpf", ProxyModes::ebpf);

    private static final Mode NFTABLES = new Mode(
            "nftables",
            "nftables",
            List.of(NFTABLES_LAYER),
            new FailureMetrics("nftables_sync_failures_total", Optional.empty()),
            false);

    private static final Mode IPTABLES = new Mode(
            "iptables",
            "iptables",
            List.of(IPTABLES_LAYER),
            new FailureMetrics(
                    "iptables_restore_failures_total", Optional.of("iptables_partial_restore_failures_total")),
            true);

    /// Connections of the node's own processes are led as they are made; nftables leads what is left.
    private static final Mode EBPF =
            new Mode("ebpf", "nftables", List.of(NFTABLES_LAYER, EBPF_LAYER), FailureMetrics.OWN, false);

    private static final Layer IPVS_LAYER = new Layer(
            "ipvs", ProxyModes::ipvs, List.of(new Sweep("mode ipvs", ProxyModes::ipvsToSweep, IpvsBackend::isThere)));

    /// As in kube-proxy, how it masquerades stands where iptables does.
    private static final Mode IPVS = new Mode("ipvs", "iptables", List.of(IPVS_LAYER), FailureMetrics.OWN, false);

    private static final Mode USERSPACE = Mode.of(Layer.of("userspace", ProxyModes::userspace));

    /// Every mode, in the order in which help texts show them; `auto` takes the first that this machine can run.
    public static final List<Mode> ALL = List.of(NFTABLES, IPTABLES, IPVS, USERSPACE, EBPF);

    /// The mode where none is named.
    public static final Mode DEFAULT = NFTABLES;

    private ProxyModes() {}

    public static List<String> names() {
        return ALL.stream().map(Mode::name).toList();
    }

    public static Optional<Mode> find(String name) {
        return ALL.stream().filter(mode -> mode.name().equals(name)).findFirst();
    }

    /// The mode of this name; a [ProxyException] names those there are.
    public static Mode named(String name) {
        return find(name)
                .orElseThrow(() -> new ProxyException(
                        "there is no proxy mode \"%s\": use one of %s".formatted(name, String.join(", ", names()))));
    }

    /// Opens one layer on this machine; a [ProxyException] says why it cannot run here.
    public static Backend<?> open(Layer layer, NodeFacts node) {
        return supported(layer, layer.opener().apply(node));
    }

    /// Opens layers with these options.
    static Modes.Opener opener(ModeOptions options) {
        return (layer, node) -> {
            if (layer.equals(IPVS_LAYER)) {
                return supported(layer, IpvsBackend.open(node, options.ipvs()));
            }
            return layer.equals(EBPF_LAYER)
                    ? supported(layer, EbpfBackend.open(node, options.ebpf()))
                    : open(layer, node);
        };
    }

    private static Backend<?> supported(Layer layer, Backend<?> backend) {
        if (backend.support() instanceof Support.Unsupported(String reason)) {
            backend.close();
            throw new ProxyException("this machine cannot run the proxy mode %s: %s".formatted(layer.name(), reason));
        }
        return backend;
    }

    /// For the processes of the control group that the machine's owner names.
    private static Backend<?> ebpf(NodeFacts node) {
        return EbpfBackend.open(node, ModeOptions.usual().ebpf());
    }

    /// With the packet filter that this machine uses; or the one that its owner names, where both are in use.
    private static Backend<?> iptables(NodeFacts node) {
        return switch (System.getenv().getOrDefault(IPTABLES_VARIANT, "")) {
            case "nft" -> IptablesBackend.open(node, Variant.NFT);
            case "legacy" -> IptablesBackend.open(node, Variant.LEGACY);
            case "" -> IptablesBackend.open(node);
            default -> throw new ProxyException("%s must be nft or legacy".formatted(IPTABLES_VARIANT));
        };
    }

    private static Backend<?> ipvs(NodeFacts node) {
        return IpvsBackend.open(node, ModeOptions.usual().ipvs());
    }

    /// A cleanup is for good: no process stays that would wait for connections.
    private static Backend<?> ipvsToSweep(NodeFacts node) {
        return IpvsBackend.open(node, ModeOptions.usual().ipvs().withDrain(Duration.ZERO));
    }

    /// With a thread a core; the variable makes it tell pods who their client is, before the client's first byte.
    private static Backend<?> userspace(NodeFacts node) {
        Preamble preamble = switch (System.getenv().getOrDefault(PREAMBLE, "")) {
            case "" -> Preamble.NONE;
            case "v2" -> Preamble.PROXY_V2;
            default -> throw new ProxyException("%s must be v2 or empty".formatted(PREAMBLE));
        };
        return UserspaceBackend.open(
                preamble, RelayLimits.ofNode(Runtime.getRuntime().availableProcessors()));
    }

    /// Opening the old packet filter makes its tables; so a cleanup opens it only where there are some.
    private static boolean hasLegacyTables() {
        return Stream.of("ip_tables_names", "ip6_tables_names")
                .map(name -> Path.of("/proc/net", name))
                .anyMatch(file -> {
                    try {
                        return Files.exists(file) && !Files.readString(file).isBlank();
                    } catch (IOException e) {
                        throw new ApplyException("cannot read " + file, e);
                    }
                });
    }
}
