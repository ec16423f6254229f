package io.fairlead.userspace;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.Frontend;
import java.util.Optional;

/// Where clients knock: at a port of one address, or of the node itself.
record PortalAddress(Family family, Optional<Ip> address, Protocol protocol, int port) {
    static PortalAddress of(Frontend frontend) {
        return new PortalAddress(frontend.family(), frontend.address(), frontend.protocol(), frontend.port());
    }

    static PortalAddress at(IpPort destination, Protocol protocol) {
        Ip ip = destination.ip();
        return new PortalAddress(ip.family(), Optional.of(ip), protocol, destination.port());
    }

    static PortalAddress ofNode(Family family, Protocol protocol, int port) {
        return new PortalAddress(family, Optional.empty(), protocol, port);
    }

    boolean isOfNode() {
        return address.isEmpty();
    }

    @Override
    public String toString() {
        String where = address.map(ip -> new IpPort(ip, port).toString())
                .orElseGet(() -> (family == Family.IPV4 ? "node:" : "node6:") + port);
        return where + "/" + protocol.lowerCase();
    }
}
