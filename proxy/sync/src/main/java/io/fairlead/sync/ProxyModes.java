package io.fairlead.sync;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Support;
import io.fairlead.iptables.IptablesBackend;
import io.fairlead.iptables.Variant;
import io.fairlead.nftables.NftablesBackend;
import io.fairlead.sync.Mode.FailureMetrics;
import io.fairlead.sync.Mode.Layer;
import io.fairlead.sync.Mode.Sweep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Every proxy mode there is: the one place that names them.
public final class ProxyModes {
    /// The variable that names the packet filter of the mode iptables.
    private static final String IPTABLES_VARIANT = "FAIRLEAD_IPTABLES";

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

    /// Every mode, in the order in which help texts show them; `auto` takes the first that this machine can run.
    public static final List<Mode> ALL = List.of(NFTABLES, IPTABLES);

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
        Backend<?> backend = layer.opener().apply(node);
        if (backend.support() instanceof Support.Unsupported(String reason)) {
            backend.close();
            throw new ProxyException("this machine cannot run the proxy mode %s: %s".formatted(layer.name(), reason));
        }
        return backend;
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
