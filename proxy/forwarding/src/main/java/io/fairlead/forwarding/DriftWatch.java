package io.fairlead.forwarding;

/// A [Backend] whose entries others can change, and that can tell when somebody did.
public interface DriftWatch {
    /// Whether others can at all: on some kernels they cannot, and nobody need ask.
    default boolean canDrift() {
        return true;
    }

    /// Whether somebody else may have changed something since the last look or change of ours; then it is time to
    /// [Backend#observe]. Cheap: it may be asked several times a second, by the thread that applies.
    boolean drifted();
}
