package io.fairlead.userspace;

import io.fairlead.api.IpPort;
import java.util.Optional;

/// Which targets a TCP client gets who wanted to go to a destination.
public interface Routes {
    /// `inside` if the connection begins on this node, in its pods or processes.
    Optional<Balancer> find(IpPort destination, boolean inside);
}
