package io.fairlead.iptables;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// A table of the packet filter that we write to; each is a transaction of its own, in this order.
///
/// What refuses connections comes first: it is about packets that no rule of nat has led on, so it does no harm when
/// it stands a moment too early, and one too late would let packets out.
enum Table {
    FILTER,
    NAT,
    MANGLE;

    static Optional<Table> find(String text) {
        return Arrays.stream(values())
                .filter(table -> table.toString().equals(text))
                .findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
