package io.fairlead.endpoints;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/// What all endpoints of one slice have in common: the family of their addresses, and the numbers of their ports.
///
/// Two groups with the same ports in another order are the same group.
record SliceGroup(Family family, SequencedSet<EndpointSlice.Port> ports) {
    SliceGroup {
        ports = Collections.unmodifiableSequencedSet(new LinkedHashSet<>(ports));
    }

    boolean holds(EndpointSlice slice) {
        return slice.addressType().equals(family.toString()) && ports.equals(new LinkedHashSet<>(slice.ports()));
    }
}
