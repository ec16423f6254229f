package io.fairlead.nftables;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Networks in a hash table: each stands there with the length of its prefix, and is looked for by every length.
///
/// So that there are few look-ups, prefixes have lengths that 4 divides; another network is as many parts of the next
/// such length.
final class Guards {
    private static final int STEP = 4;

    private Guards() {}

    static List<Integer> prefixes(Family family) {
        return IntStream.rangeClosed(1, family.bits() / STEP)
                .mapToObj(i -> i * STEP)
                .toList();
    }

    /// The parts of a network that stand in the table.
    static Stream<Cidr> parts(Cidr network) {
        int prefix = Math.max(STEP, (network.prefix() + STEP - 1) / STEP * STEP);
        return IntStream.range(0, 1 << (prefix - network.prefix()))
                .mapToObj(i -> new Cidr(part(network, prefix, i), prefix));
    }

    private static Ip part(Cidr network, int prefix, long index) {
        int shift = network.family().bits() - prefix;
        Ip first = network.network();
        return shift < 64
                ? new Ip(first.family(), first.high(), first.low() | (index << shift))
                : new Ip(first.family(), first.high() | (index << (shift - 64)), first.low());
    }
}
