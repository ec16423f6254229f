package io.fairlead.commands;

import io.fairlead.api.Cidr;
import io.fairlead.balancers.AddressPools;
import io.fairlead.kubectl.CommandException;
import java.util.List;

/// Reads `--load-balancer-pool`.
final class PoolOption {
    private PoolOption() {}

    /// The pools; `services` are the blocks of the cluster addresses, as far as they are known.
    static AddressPools read(List<String> texts, List<Cidr> services) {
        try {
            AddressPools pools = AddressPools.parse(texts);
            pools.requireApart(services, "the cluster addresses of Services");
            return pools;
        } catch (IllegalArgumentException e) {
            throw new CommandException("error: --load-balancer-pool: " + e.getMessage(), e);
        }
    }
}
