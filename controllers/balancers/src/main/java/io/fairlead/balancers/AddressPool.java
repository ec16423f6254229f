package io.fairlead.balancers;

import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Addresses for load balancers, under a name that a Service can ask for.
public record AddressPool(String name, List<AddressRange> ranges) {
    public AddressPool {
        ranges = List.copyOf(ranges);
    }

    boolean contains(Ip ip) {
        return ranges.stream().anyMatch(range -> range.contains(ip));
    }

    boolean has(Family family) {
        return ranges.stream().anyMatch(range -> range.family() == family);
    }

    /// The first address of a family that is free. It jumps over blocks that are taken, so a pool may be as large as it
    /// likes.
    Optional<Ip> findFirst(Family family, TakenAddresses taken) {
        return ranges.stream()
                .filter(range -> range.family() == family)
                .flatMap(range -> findFirst(range, taken).stream())
                .findFirst();
    }

    private static Optional<Ip> findFirst(AddressRange range, TakenAddresses taken) {
        Optional<Ip> ip = Optional.of(range.from());
        while (ip.isPresent()) {
            Optional<Ip> end = taken.endOfBlock(ip.get());
            if (end.isEmpty()) {
                return ip;
            }
            ip = range.after(end.get());
        }
        return ip;
    }

    @Override
    public String toString() {
        return name + "=" + ranges.stream().map(AddressRange::toString).collect(Collectors.joining(","));
    }
}
