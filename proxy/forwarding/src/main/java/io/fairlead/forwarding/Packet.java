package io.fairlead.forwarding;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;

/// The first packet of a new connection, as one node sees it.
public record Packet(Ip source, IpPort destination, Protocol protocol, Entrance entrance) {
    public Packet {
        if (source.family() != destination.ip().family()) {
            throw new IllegalArgumentException("%s cannot write to %s".formatted(source, destination));
        }
    }

    /// What the bridge of the pods is called, in every scenario and in the lab.
    public static final String BRIDGE = "pods";

    /// The interface by which it comes in; empty where there is none.
    public String interfaceName() {
        return switch (entrance) {
            case INTERFACE -> "eth0";
            case POD -> BRIDGE;
            case NODE -> "";
        };
    }

    /// Where a packet enters the node's network stack.
    public enum Entrance {
        /// Through an interface: from another node or outside, or from a pod where that makes no difference (the
        /// prerouting hooks).
        INTERFACE,
        /// Through the bridge of this node's pods, [#BRIDGE] (the prerouting hooks too).
        POD,
        /// Made by a process of the node itself (the output hooks).
        NODE
    }
}
