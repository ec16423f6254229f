package io.fairlead.lab;

import io.fairlead.ebpf.EbpfBackend;
import io.fairlead.ebpf.EbpfSite;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.iptables.IptablesBackend;
import io.fairlead.iptables.Variant;
import io.fairlead.ipvs.IpvsBackend;
import io.fairlead.ipvs.IpvsOptions;
import io.fairlead.nftables.NftablesBackend;
import io.fairlead.userspace.Preamble;
import io.fairlead.userspace.RelayLimits;
import io.fairlead.userspace.UserspaceBackend;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// A way to program a node of the lab, by the name that it has there; `column` is its mode in the table of modes.
enum LabMode {
    NFTABLES("nftables"),
    IPTABLES("iptables"),
    LEGACY("iptables"),
    USERSPACE("userspace"),
    EBPF("ebpf"),
    IPVS("ipvs");

    /// Those of the kernel of this machine; the guest kernel has the other one.
    static final List<LabMode> HERE = List.of(NFTABLES, IPTABLES, LEGACY, USERSPACE, EBPF);

    private final String column;

    LabMode(String column) {
        this.column = column;
    }

    /// A letter for the names of its namespaces.
    char letter() {
        return name().toLowerCase(Locale.ROOT).charAt(this == IPTABLES ? 1 : 0);
    }

    String column() {
        return column;
    }

    /// Opens the layers on a node, the lowest first; `site` is for those that see the processes of the node.
    List<Backend<?>> open(NodeFacts node, EbpfSite site) {
        return switch (this) {
            case NFTABLES -> List.of(NftablesBackend.open(node));
            case IPTABLES -> List.of(IptablesBackend.open(node, Variant.NFT));
            case LEGACY -> List.of(IptablesBackend.open(node, Variant.LEGACY));
            case USERSPACE -> List.of(UserspaceBackend.open(Preamble.NONE, RelayLimits.ofNode(1)));
            case EBPF -> List.of(NftablesBackend.open(node), EbpfBackend.open(node, site));
            case IPVS -> List.of(IpvsBackend.open(node, IpvsOptions.DEFAULT.withDrain(Duration.ZERO)));
        };
    }
}
