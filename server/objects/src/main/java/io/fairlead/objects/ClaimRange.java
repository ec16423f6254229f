package io.fairlead.objects;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/// A range of numbered items that Services take, such as addresses or ports.
///
/// The first `band` of them are left to those who ask for a certain one: others get one of the rest, at random, and
/// one of the band only when the rest is used up (A3, KEP-3070).
public record ClaimRange(long size, long band, LongFunction<String> item) {

    /// The addresses of a block, without the network's own and, in IPv4, the broadcast address.
    public static ClaimRange of(Cidr cidr) {
        long usable = cidr.family() == Family.IPV4 ? cidr.size() - 2 : cidr.size() - 1;
        return new ClaimRange(
                usable, band(cidr.size(), 16, 256), i -> cidr.at(i + 1).toString());
    }

    public static ClaimRange of(PortRange ports) {
        return new ClaimRange(ports.size(), band(ports.size(), 32, 128), i -> Long.toString(ports.first() + i));
    }

    private static long band(long size, int share, int most) {
        return size <= 16 ? 0 : Math.min(Math.max(16, size / share), most);
    }

    /// Offers items to `take` until it takes one; nothing if it takes none of them.
    public Optional<String> takeAny(RandomGenerator random, Predicate<String> take) {
        return takeAny(random, band, size, take).or(() -> takeAny(random, 0, band, take));
    }

    private Optional<String> takeAny(RandomGenerator random, long from, long to, Predicate<String> take) {
        long count = to - from;
        long start = count > 0 ? random.nextLong(count) : 0;
        for (long i = 0; i < count; i++) {
            String candidate = item.apply(from + (start + i) % count);
            if (take.test(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
