package io.fairlead.forwarding;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.util.List;
import java.util.stream.Collectors;

/// Who may use a frontend: every client, or the addresses of `allowed`; others are dropped.
///
/// The networks are sorted, and none is inside another.
public record Sources(List<Cidr> allowed) {
    public static final Sources ALL = new Sources(List.of());

    public Sources {
        List<Cidr> all = allowed;
        allowed = all.stream()
                .filter(network -> all.stream().noneMatch(other -> isPartOf(network, other)))
                .distinct()
                .sorted()
                .toList();
    }

    private static boolean isPartOf(Cidr network, Cidr other) {
        return other.prefix() < network.prefix() && other.contains(network.network());
    }

    public boolean isAll() {
        return allowed.isEmpty();
    }

    public boolean contains(Ip source) {
        return isAll() || allowed.stream().anyMatch(network -> network.contains(source));
    }

    @Override
    public String toString() {
        return isAll() ? "all" : allowed.stream().map(Cidr::toString).collect(Collectors.joining(","));
    }
}
