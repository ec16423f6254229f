package io.fairlead.forwarding;

import io.fairlead.api.IpPort;

/// Where a connection may be sent; `local` if the pod runs on the node we stand on, `unplaced` if nobody says where
/// it runs, as in slices that are made by hand.
public record Target(IpPort address, boolean local, boolean unplaced) implements Comparable<Target> {
    public Target(IpPort address, boolean local) {
        this(address, local, false);
    }

    @Override
    public int compareTo(Target other) {
        return address.compareTo(other.address);
    }

    @Override
    public String toString() {
        return address + (local ? " local" : "") + (unplaced ? " unplaced" : "");
    }
}
