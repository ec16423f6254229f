package io.fairlead.forwarding;

import io.fairlead.api.IpPort;

/// What one counter of the kernel shows: the new connections since that counter began.
///
/// A Service has several counters (one for its ClusterIP, one for its node port, …), and each begins anew at 0 when
/// its entry is replaced. So a backend gives them one by one, not summed: only a reader that remembers each of them can
/// add them up to a number that never goes back.
public sealed interface ConnectionCount {
    /// What tells this counter from all others of the backend: the key of the [Entry] that carries it.
    Object counter();

    ServicePortName service();

    long connections();

    /// Connections that came to a Service, at one of its frontends.
    record ToService(Object counter, ServicePortName service, long connections) implements ConnectionCount {}

    /// Connections that were sent to one target of a Service.
    record ToTarget(Object counter, ServicePortName service, IpPort target, long connections)
            implements ConnectionCount {}
}
