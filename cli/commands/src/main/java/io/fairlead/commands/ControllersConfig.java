package io.fairlead.commands;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.endpoints.EndpointSlices;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// What an operator may say about the controllers.
///
/// @param clusterCidrs   where nodes without a block for their pods get one from, one of each family; none: they do not
/// @param nodeGrace      how long a node may be silent before it counts as lost
/// @param podEviction    how long the pods of a lost node stay, if they do not say so themselves
/// @param sliceSize      how many endpoints an EndpointSlice has at most
public record ControllersConfig(List<Cidr> clusterCidrs, Duration nodeGrace, Duration podEviction, int sliceSize) {
    public static final ControllersConfig DEFAULT = new ControllersConfig(
            List.of(), Duration.ofSeconds(10), Duration.ofMinutes(5), EndpointSlices.DEFAULT_SIZE);

    /// More the API does not take.
    private static final int LARGEST_SLICE = 1000;

    public ControllersConfig {
        clusterCidrs = List.copyOf(clusterCidrs);
        Set<Family> seen = EnumSet.noneOf(Family.class);
        for (Cidr cidr : clusterCidrs) {
            if (!seen.add(cidr.family())) {
                throw new IllegalArgumentException(
                        "cluster CIDRs: %s is the second block of %s".formatted(cidr, cidr.family()));
            }
        }
        if (sliceSize < 1 || sliceSize > LARGEST_SLICE) {
            throw new IllegalArgumentException(
                    "max-endpoints-per-slice: must be from 1 to %d, not %d".formatted(LARGEST_SLICE, sliceSize));
        }
        if (!nodeGrace.isPositive()) {
            throw new IllegalArgumentException("node grace: must be longer than 0, not " + nodeGrace);
        }
    }
}
