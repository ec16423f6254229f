package io.fairlead.agent;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.util.Optional;
import java.util.function.Predicate;

/// The addresses of one podCIDR, given out in a circle: one that was freed comes back as late as can be, so that
/// no client that still remembers it meets another pod there.
///
/// `last` is the index of the address given out last; 1 (the gateway) before the first.
record PodAddresses(Cidr cidr, long last) {
    /// The network's own address and the gateway are no pod's.
    private static final long FIRST = 2;
    /// Enough for any node, and an end to the search in a large IPv6 block.
    private static final long LARGEST = 1 << 20;

    static PodAddresses of(Cidr cidr) {
        return new PodAddresses(cidr, FIRST - 1);
    }

    /// The next address that is not `taken`, as the pool after giving it out; nothing if all are.
    Optional<PodAddresses> next(Predicate<Ip> taken) {
        long count = end() - FIRST;
        for (long step = 1; step <= count; step++) {
            long index = FIRST + Math.floorMod(last - FIRST + step, count);
            if (!taken.test(cidr.at(index))) {
                return Optional.of(new PodAddresses(cidr, index));
            }
        }
        return Optional.empty();
    }

    Ip lastAddress() {
        return cidr.at(last);
    }

    private long end() {
        long broadcast = cidr.family() == Family.IPV4 ? 1 : 0;
        return Math.min(cidr.size(), LARGEST) - broadcast;
    }
}
