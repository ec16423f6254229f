package io.fairlead.ipvs;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.forwarding.Packet;

/// A packet on its way: where it goes by now, and its mark.
record TracedPacket(Packet first, IpPort destination, int mark) {
    Ip source() {
        return first.source();
    }

    boolean isOfNode() {
        return first.entrance() == Packet.Entrance.NODE;
    }

    TracedPacket to(IpPort target) {
        return new TracedPacket(first, target, mark);
    }

    TracedPacket marked(int mark) {
        return new TracedPacket(first, destination, mark);
    }
}
