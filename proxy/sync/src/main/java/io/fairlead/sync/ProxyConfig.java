package io.fairlead.sync;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.ebpf.EbpfSite;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.ipvs.IpvsOptions;
import java.util.Optional;

/// How a proxy is asked to run: `mode` names the backend; health is for others, metrics and dumps for this
/// machine.
///
/// @param healthAddress where the proxy tells its health; nothing for nowhere
/// @param metricsAddress where the rest is; nothing for nowhere
/// @param bindHardFail whether an address that cannot be had ends the proxy; else it is tried again
/// @param options how single modes are set up, should they be chosen
public record ProxyConfig(
        String mode,
        NodeFacts node,
        Optional<IpPort> healthAddress,
        Optional<IpPort> metricsAddress,
        boolean bindHardFail,
        ModeOptions options) {

    /// Where kube-proxy answers `/healthz`.
    public static final IpPort DEFAULT_HEALTH_ADDRESS = IpPort.parse("0.0.0.0:10256");

    /// Where kube-proxy answers `/metrics`.
    public static final IpPort DEFAULT_METRICS_ADDRESS = IpPort.parse("127.0.0.1:10249");

    private static final Cidr LOOPBACK = Cidr.parse("127.0.0.0/8");

    public ProxyConfig {
        if (node.name().isEmpty()) {
            throw new IllegalArgumentException("a proxy must know the name of its node");
        }
    }

    /// One whose modes are set up as usual.
    public ProxyConfig(
            String mode,
            NodeFacts node,
            Optional<IpPort> healthAddress,
            Optional<IpPort> metricsAddress,
            boolean bindHardFail) {
        this(mode, node, healthAddress, metricsAddress, bindHardFail, ModeOptions.usual());
    }

    /// One that tries again where an address cannot be had.
    public ProxyConfig(String mode, NodeFacts node, IpPort healthAddress, IpPort metricsAddress) {
        this(mode, node, Optional.of(healthAddress), Optional.of(metricsAddress), false);
    }

    public ProxyConfig withMode(String mode) {
        return new ProxyConfig(mode, node, healthAddress, metricsAddress, bindHardFail, options);
    }

    public ProxyConfig withNode(NodeFacts node) {
        return new ProxyConfig(mode, node, healthAddress, metricsAddress, bindHardFail, options);
    }

    public ProxyConfig withSite(EbpfSite site) {
        ModeOptions moved = new ModeOptions(options.ipvs(), site);
        return new ProxyConfig(mode, node, healthAddress, metricsAddress, bindHardFail, moved);
    }

    public ProxyConfig withIpvs(IpvsOptions ipvs) {
        ModeOptions changed = new ModeOptions(ipvs, options.ebpf());
        return new ProxyConfig(mode, node, healthAddress, metricsAddress, bindHardFail, changed);
    }

    /// Whether node ports answer at 127.0.0.1, which is of the mode iptables alone: the kernel needs a switch
    /// for it.
    public boolean answersAtLocalhost() {
        return ProxyModes.named(mode).answersAtLocalhost()
                && node.localhostNodePorts()
                && node.nodePortNetworks(Family.IPV4).stream().anyMatch(LOOPBACK::overlaps);
    }

    /// Whether node ports shall answer at localhost by name, and the mode cannot do it.
    public boolean missesLocalhost() {
        return !ProxyModes.named(mode).answersAtLocalhost()
                && node.nodePortNetworks(Family.IPV4).contains(LOOPBACK);
    }

    /// With the default mode and addresses.
    public static ProxyConfig of(NodeFacts node) {
        return new ProxyConfig(ProxyModes.DEFAULT.name(), node, DEFAULT_HEALTH_ADDRESS, DEFAULT_METRICS_ADDRESS);
    }
}
