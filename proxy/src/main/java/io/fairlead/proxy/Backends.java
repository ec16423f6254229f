package io.fairlead.proxy;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Support;
import io.fairlead.nftables.NftablesBackend;
import java.util.List;

/// The rooms behind the door, by the name of their mode.
public final class Backends {
    /// Every mode there is, in the order in which help texts show them.
    public static final List<String> MODES = List.of("nftables");

    private Backends() {}

    /// Opens the backend of a mode on this machine; a [ProxyException] says why it cannot run here.
    public static Backend<?> open(String mode, NodeFacts node) {
        Backend<?> backend = switch (mode) {
            case "nftables" -> NftablesBackend.open(node);
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
}
