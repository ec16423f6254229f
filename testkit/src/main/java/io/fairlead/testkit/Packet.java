package io.fairlead.testkit;

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

    /// Where a packet enters the node's network stack.
    public enum Entrance {
        /// Through an interface: from a pod of this node, another node, or outside (the prerouting hooks).
        INTERFACE,
        /// Made by a process of the node itself (the output hooks).
        NODE
    }
}
