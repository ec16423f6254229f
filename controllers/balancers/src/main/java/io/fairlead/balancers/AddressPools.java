package io.fairlead.balancers;

import io.fairlead.api.Cidr;
import io.fairlead.api.Ip;
import io.fairlead.api.Service;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// All pools, in the order in which they are used. No address is in two of them.
public record AddressPools(List<AddressPool> pools) {
    /// Without a pool no Service gets an address.
    public static final AddressPools NONE = new AddressPools(List.of());

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    /// One range, and whose it is.
    private record Owned(String pool, AddressRange range) {}

    public AddressPools {
        pools = List.copyOf(pools);
        List<Owned> seen = new ArrayList<>();
        for (AddressPool pool : pools) {
            for (AddressRange range : pool.ranges()) {
                checkApart(new Owned(pool.name(), range), seen);
                seen.add(new Owned(pool.name(), range));
            }
        }
    }

    /// Each as `NAME=RANGE[,RANGE...]`, a range as `FROM-TO` or CIDR; throws what is wrong as a sentence.
    public static AddressPools parse(List<String> texts) {
        List<AddressPool> pools = new ArrayList<>();
        for (String text : texts) {
            AddressPool pool = parse(text);
            if (pools.stream().anyMatch(other -> other.name().equals(pool.name()))) {
                throw new IllegalArgumentException("the pool %s is named twice".formatted(pool.name()));
            }
            pools.add(pool);
        }
        return new AddressPools(pools);
    }

    private static AddressPool parse(String text) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            throw new IllegalArgumentException("\"%s\" is not NAME=RANGE[,RANGE...]".formatted(text));
        }
        String name = text.substring(0, equals);
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "\"%s\": the name of a pool is 1 to 63 of a-z, 0-9 and -, with no - at its ends".formatted(name));
        }
        return new AddressPool(
                name,
                Arrays.stream(text.substring(equals + 1).split(",", -1))
                        .map(AddressRange::parse)
                        .toList());
    }

    private static void checkApart(Owned owned, List<Owned> others) {
        for (Owned other : others) {
            if (owned.range().overlaps(other.range())) {
                throw new IllegalArgumentException("%s of pool %s overlaps %s of pool %s"
                        .formatted(owned.range(), owned.pool(), other.range(), other.pool()));
            }
        }
    }

    /// Throws a sentence if a pool has addresses in common with one of the blocks, which are for `purpose`.
    public void requireApart(List<Cidr> blocks, String purpose) {
        for (AddressPool pool : pools) {
            for (AddressRange range : pool.ranges()) {
                blocks.stream().filter(range::overlaps).findFirst().ifPresent(block -> {
                    throw new IllegalArgumentException(
                            "%s of pool %s overlaps %s, which is for %s".formatted(range, pool.name(), block, purpose));
                });
            }
        }
    }

    Optional<AddressPool> find(String name) {
        return pools.stream().filter(pool -> pool.name().equals(name)).findFirst();
    }

    Optional<AddressPool> poolOf(Ip ip) {
        return pools.stream().filter(pool -> pool.contains(ip)).findFirst();
    }

    /// Whether every address that a Service has is from a pool.
    boolean haveAllOf(Service service) {
        return service.loadBalancer().ingress().stream()
                .allMatch(ingress -> ingress.address().flatMap(this::poolOf).isPresent());
    }

    String names() {
        return pools.stream().map(AddressPool::name).collect(Collectors.joining(", "));
    }
}
