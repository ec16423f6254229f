package io.fairlead.kernel;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.util.List;

/// A way to a block of addresses: out of `link`, through one of `via`; directly if there is none.
public record Route(Cidr to, List<Ip> via, String link) {
    public Route {
        via = List.copyOf(via);
    }

    @Override
    public String toString() {
        return "to %s via %s dev %s".formatted(to, via, link);
    }
}
