package io.fairlead.forwarding;

/// How much of the kernel's state a [Backend] reads back.
public enum Extent {
    /// Everything that is ours.
    WHOLE,
    /// What the first patch, and the first after a failure, starts from: all of it, or less where writing the
    /// rest anew is quicker than reading it. Then the patch itself says what to throw away.
    BASELINE
}
