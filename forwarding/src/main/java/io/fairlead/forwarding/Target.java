package io.fairlead.forwarding;

import io.fairlead.api.IpPort;

/// Where a connection may be sent; `local` if the pod runs on the node we stand on.
public record Target(IpPort address, boolean local) implements Comparable<Target> {
    @Override
    public int compareTo(Target other) {
        return address.compareTo(other.address);
    }

    @Override
    public String toString() {
        return local ? address + " local" : address.toString();
    }
}
