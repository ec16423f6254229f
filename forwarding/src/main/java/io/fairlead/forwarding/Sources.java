package io.fairlead.forwarding;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import java.util.List;
import java.util.stream.Collectors;

/// Who may use a frontend: everybody, or the addresses of `allowed`, which is sorted; others are dropped.
public record Sources(List<Cidr> allowed) {
    public static final Sources ALL = new Sources(List.of());

    public Sources {
        allowed = allowed.stream().distinct().sorted().toList();
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
