package io.fairlead.agent;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.containers.NodeException;
import io.fairlead.containers.PodNames;
import io.fairlead.kernel.RouteSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// The node's side of the pod network: a bridge with the gateway addresses, and a kernel that forwards.
///
/// Pods have their address alone (/32, /128) and send everything to the gateway, so that traffic between two pods of
/// one node crosses the node's routing too: address translation must see both ways, and this kernel's bridges do not
/// show it what they carry. All of it happens in the network namespace of this JVM.
final class NodeNetwork {
    static final String BRIDGE = "fl-pods";
    private static final Path SYSCTLS = Path.of("/proc/sys/net");

    private final NodeConfig config;

    NodeNetwork(NodeConfig config) {
        this.config = config;
    }

    /// Makes what is missing; changes nothing where all is there.
    void build() {
        try (RouteSocket route = RouteSocket.open()) {
            if (!route.links().contains(BRIDGE)) {
                route.addBridge(BRIDGE);
            }
            // Of its own, or it would change with every pod, and pods would look for their gateway at the old one.
            route.setHardwareAddress(BRIDGE, hardwareAddress());
            route.setUp(BRIDGE);
            for (Cidr cidr : config.podCidrs()) {
                route.addAddress(BRIDGE, NodeConfig.gateway(cidr), cidr.prefix());
            }
        }
        forward();
    }

    private void forward() {
        sysctl("ipv4/ip_forward", "1");
        for (String scope : new String[] {"all", "default", BRIDGE}) {
            // Packets come back out of the bridge they came from: that is meant, and the kernel must send no redirect.
            sysctl("ipv4/conf/" + scope + "/send_redirects", "0");
            // What was translated may come back another way than it went.
            sysctl("ipv4/conf/" + scope + "/rp_filter", "0");
        }
        if (Files.exists(SYSCTLS.resolve("ipv6"))) {
            sysctl("ipv6/conf/all/forwarding", "1");
        }
    }

    /// The link that has one of the node's own addresses.
    static String linkOf(Ip own) {
        try {
            NetworkInterface link = NetworkInterface.getByInetAddress(InetAddress.getByAddress(own.bytes()));
            if (link == null) {
                throw new NodeException("no link of this node has its address " + own);
            }
            return link.getName();
        } catch (IOException e) {
            throw new NodeException("cannot look for the link with address " + own, e);
        }
    }

    /// Tells the network namespace of this JVM from all others.
    static String namespaceId() {
        try {
            return Files.getAttribute(Path.of("/proc/self/ns/net"), "unix:ino").toString();
        } catch (IOException e) {
            throw new NodeException("cannot tell which network namespace this is", e);
        }
    }

    /// Locally administered (the 2), and the same at every start.
    private byte[] hardwareAddress() {
        byte[] address = Arrays.copyOf(PodNames.digest(config.name()), 6);
        address[0] = 2;
        return address;
    }

    private static void sysctl(String key, String value) {
        Path file = SYSCTLS.resolve(key);
        try {
            if (!Files.readString(file).strip().equals(value)) {
                Files.writeString(file, value);
            }
        } catch (IOException e) {
            throw new NodeException("cannot set %s to %s".formatted(file, value), e);
        }
    }
}
