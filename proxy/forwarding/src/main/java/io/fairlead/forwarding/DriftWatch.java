package io.fairlead.forwarding;

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
}
