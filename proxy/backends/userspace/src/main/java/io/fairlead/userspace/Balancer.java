package io.fairlead.userspace;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import java.util.Collection;
import java.util.Optional;

/// Chooses a target for each connection to one frontend; for many threads.
public interface Balancer {
    /// A target that is not among `tried`; nothing where all were.
    Optional<IpPort> choose(Ip client, Collection<IpPort> tried, long nanos);

    /// A connection to a target begins.
    default void begin(IpPort target) {}

    /// And ends.
    default void end(IpPort target) {}

    /// Whether this is still one of its targets.
    default boolean has(IpPort target) {
        return true;
    }
}
