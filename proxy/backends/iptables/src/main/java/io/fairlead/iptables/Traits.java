package io.fairlead.iptables;

import io.fairlead.api.Family;
import java.util.List;

/// What the rules depend on besides the node's setup: what this machine's tools and kernel can do.
///
/// @param families those for which there is a packet filter
/// @param randomFully whether a masqueraded connection may get any free port, so that two cannot pick the same one
/// @param liberal whether connection tracking lets packets outside of the TCP window pass, instead of calling them
///     invalid
/// @param routesLocalnet whether the kernel led packets to 127.0.0.1 on before we came
record Traits(List<Family> families, boolean randomFully, boolean liberal, boolean routesLocalnet) {
    /// Of a machine of today.
    static final Traits USUAL = new Traits(List.of(Family.values()), true, false, false);

    Traits {
        families = List.copyOf(families);
    }
}
