package io.fairlead.objects;

import io.fairlead.store.Store;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives the objects of one kind what no two of them may have, in the call that writes them.
///
/// A write decides by [#allocate], stores the object together with the [#claims], and then tells by [#keep] or
/// [#giveBack] what came of it. All of it may be called by several threads at once; the last three write to the store.
public interface Allocator {
    /// Decides what `object` gets; `old` is a missing node for a new one.
    Allocation allocate(JsonNode old, ObjectNode object);

    /// What is stored with the object, in the order of what the allocation takes.
    List<Store.Put> claims(Allocation allocation);

    /// The write was done: frees what the object no longer has.
    void keep(Allocation allocation) throws InterruptedException;

    /// The write was not done: frees the claims that were stored all the same.
    void giveBack(Allocation allocation, List<Store.Outcome> outcomes) throws InterruptedException;

    /// Frees all that a deleted object had.
    void release(JsonNode deleted) throws InterruptedException;
}
