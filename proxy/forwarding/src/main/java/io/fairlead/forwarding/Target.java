package io.fairlead.forwarding;

import io.fairlead.api.IpPort;

/// Where a connection may be sent.
///
/// @param local whether the pod runs on the node we stand on
/// @param unplaced whether nothing says where it runs, as in slices that are made by hand
/// @param weight its share of the connections, against the weights of the others; 0 for none of the new ones
public record Target(IpPort address, boolean local, boolean unplaced, int weight) implements Comparable<Target> {
    /// The weight of a pod that names none.
    public static final int DEFAULT_WEIGHT = 1;

    /// The largest weight, as in the kernel's IPVS.
    public static final int MOST_WEIGHT = 65_535;

    public Target {
        if (weight < 0 || weight > MOST_WEIGHT) {
            throw new IllegalArgumentException("a weight is from 0 to %d, not %d".formatted(MOST_WEIGHT, weight));
        }
    }

    public Target(IpPort address, boolean local, boolean unplaced) {
        this(address, local, unplaced, DEFAULT_WEIGHT);
    }

    public Target(IpPort address, boolean local) {
        this(address, local, false);
    }

    @Override
    public int compareTo(Target other) {
        return address.compareTo(other.address);
    }

    @Override
    public String toString() {
        return address
                + (local ? " local" : "")
                + (unplaced ? " unplaced" : "")
                + (weight == DEFAULT_WEIGHT ? "" : " weight " + weight);
    }
}
