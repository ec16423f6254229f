package io.fairlead.forwarding;

/// How much a program carries that only people read, such as comments.
public enum Detail {
    FULL,
    /// Without what grows with the number of targets.
    TERSE
}
