package io.fairlead.forwarding;

import java.util.List;

/// Tells that another program changed what a [Backend] programmed.
public interface DriftWatch {
    /// Whether other programs can change it at all: on some kernels they cannot, and [#drifted] need not be
    /// asked.
    default boolean canDrift() {
        return true;
    }

    /// Whether another program may have changed something since the last look or change of ours; then it is
    /// time to [Backend#observe]. Cheap: it may be asked several times a second, by the thread that applies.
    boolean drifted();

    /// What the last [#drifted] that said so found, one line a difference, in the words of the backend; nothing
    /// where it cannot tell. Asked by the thread that applies.
    default List<String> findings() {
        return List.of();
    }

    /// Has the next [#drifted] compare everything, however long ago it last did; for any thread.
    default void compareNow() {}
}
