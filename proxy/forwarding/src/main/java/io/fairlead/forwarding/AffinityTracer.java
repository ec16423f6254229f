package io.fairlead.forwarding;

import java.util.List;
import java.util.Set;

/// A tracer that also plays what the kernel remembers of clients from one packet to the next.
public interface AffinityTracer extends Tracer {
    /// Every way that these packets may take, one after the other.
    Set<List<Trace>> traceAll(List<Packet> packets);
}
