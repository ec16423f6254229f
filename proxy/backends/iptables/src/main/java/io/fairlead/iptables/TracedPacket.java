package io.fairlead.iptables;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Packet;
import java.util.List;

/// A packet on its way: what rules see of it, and what they have changed.
record TracedPacket(Packet first, List<Ip> ownAddresses, IpPort destination, int mark, boolean translated) {
    private static final List<Cidr> LOOPBACK = List.of(Cidr.parse("127.0.0.0/8"), Cidr.parse("::1/128"));

    static TracedPacket of(Packet packet, List<Ip> ownAddresses) {
        return new TracedPacket(packet, ownAddresses, packet.destination(), 0, false);
    }

    Ip source() {
        return first.source();
    }

    Protocol protocol() {
        return first.protocol();
    }

    /// Whether an address is one of the node's own.
    boolean isOwn(Ip ip) {
        return ownAddresses.contains(ip) || LOOPBACK.stream().anyMatch(network -> network.contains(ip));
    }

    TracedPacket to(IpPort target) {
        return new TracedPacket(first, ownAddresses, target, mark, true);
    }

    /// `--set-xmark value/mask`: clears the bits of the mask, then turns those of the value.
    TracedPacket marked(String words) {
        String[] parts = words.split("/", -1);
        int changed = (mark & ~Integer.decode(parts[1])) ^ Integer.decode(parts[0]);
        return new TracedPacket(first, ownAddresses, destination, changed, translated);
    }
}
