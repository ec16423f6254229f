package io.fairlead.commands;

/// How a proxy programs the kernel, as `--mode` spells it.
enum ProxyMode {
    NFTABLES,
    IPTABLES,
    IPVS,
    USERSPACE,
    EBPF;

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
