package io.fairlead.forwarding;

import java.util.List;

/// How many connections a [Backend] led where.
///
/// They are read for the metrics, on another thread than the one that applies; [ApplyException] says that the
/// kernel does not answer.
public interface ConnectionCounters {
    /// What every counter shows now, in any order.
    List<ConnectionCount> connections();

    /// What the counters show that this patch will end, because their entries are replaced or removed; asked by
    /// the thread that applies. A backend whose counters outlive its changes, or that would be slow to ask, tells
    /// none.
    default List<ConnectionCount> ending(Patch<?> patch) {
        return List.of();
    }
}
