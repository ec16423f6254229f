package io.fairlead.objects;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives the objects of one kind what no two of them may have, in the call that writes them.
interface Allocator {
    /// Decides what `object` gets, and writes it into the object; `old` is a missing node for a new one.
    Allocation allocate(JsonNode old, ObjectNode object);

    /// Gives back all that a deleted object had.
    void release(JsonNode deleted) throws InterruptedException;
}
