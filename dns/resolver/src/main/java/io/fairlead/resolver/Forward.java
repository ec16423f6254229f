package io.fairlead.resolver;

import io.fairlead.api.IpPort;
import io.fairlead.zone.Name;
import java.util.List;

/// Which servers know the names below `zone`; the root stands for all that no other zone has.
public record Forward(Name zone, List<IpPort> servers) {
    public Forward {
        servers = List.copyOf(servers);
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("forward of %s names no server".formatted(zone));
        }
    }
}
