package io.fairlead.forwarding;

import java.util.List;

/// The second, optional door of a [Backend]: how many connections the kernel led where.
///
/// A backend that counts implements both interfaces. It is asked when somebody reads the metrics, on another thread
/// than the one that applies, and throws [ApplyException] where the kernel does not answer.
public interface ConnectionCounters {
    /// What every counter shows now, in any order.
    List<ConnectionCount> connections();
}
