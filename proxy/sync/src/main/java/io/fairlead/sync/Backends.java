package io.fairlead.sync;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Support;
import io.fairlead.iptables.IptablesBackend;
import io.fairlead.iptables.Variant;
import io.fairlead.nftables.NftablesBackend;
import java.util.List;

/// The rooms behind the door, by the name of their mode.
public final class Backends {
    /// Every mode there is, in the order in which help texts show them.
    public static final List<String> MODES = List.of("nftables", "iptables");

    /// The variable that names the packet filter of the mode iptables.
    private static final String IPTABLES_VARIANT = "FAIRLEAD_IPTABLES";

    private Backends() {}

    /// Opens the backend of a mode on this machine; a [ProxyException] says why it cannot run here.
    public static Backend<?> open(String mode, NodeFacts node) {
        Backend<?> backend = switch (mode) {
            case "nftables" -> NftablesBackend.open(node);
            case "iptables" -> iptables(node);
            default ->
                throw new ProxyException(
                        "there is no proxy mode \"%s\": use one of %s".formatted(mode, String.join(", ", MODES)));
        };
        if (backend.support() instanceof Support.Unsupported(String reason)) {
            backend.close();
            throw new ProxyException("this machine cannot run the proxy mode %s: %s".formatted(mode, reason));
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
}
