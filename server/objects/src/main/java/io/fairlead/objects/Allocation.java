package io.fairlead.objects;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What one write takes for its object: the object with all that it gets, what is claimed for it, and what it no longer
/// has.
///
/// @param object the object as it is to be stored; the one that was asked for is left as it was
/// @param taken what no other object may have from now on
/// @param freed what the object had before and has no longer
public record Allocation(ObjectNode object, List<ServiceNeeds.Item> taken, List<ServiceNeeds.Item> freed) {
    public Allocation {
        taken = List.copyOf(taken);
        freed = List.copyOf(freed);
    }

    /// The allocation of an object that needs nothing.
    static Allocation nothing(ObjectNode object) {
        return new Allocation(object, List.of(), List.of());
    }
}
