package io.fairlead.forwarding;

/// Whether what a backend programs outlives its process.
public enum Lifetime {
    /// The kernel leads connections: they go on when the process ends, and a successor finds what is programmed.
    DURABLE,
    /// The process leads connections itself: they end with it, and a successor finds nothing.
    PROCESS_BOUND
}
