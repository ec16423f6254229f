package io.fairlead.forwarding;

/// Runs packets through the compiled Program of one node, without a kernel.
///
/// A backend's tracer interprets the backend's own entries, as the kernel would, and knows nothing of the
/// forwarding table they came from: so it can tell that the compiler is wrong.
public interface Tracer {
    /// Every way that `packet` may take.
    Trace trace(Packet packet);
}
