package io.fairlead.iptables;

import io.fairlead.forwarding.Entry;
import java.util.List;
import java.util.stream.Collectors;

/// What this backend owns in the kernel; its text is that of `iptables-save`.
public sealed interface IptablesEntry extends Entry {
    Place place();

    /// A chain of ours, with its rules. Of a chain that Services share, only those behind their lines.
    record Chain(Place place, List<Rule> rules) implements IptablesEntry {
        public Chain {
            rules = List.copyOf(rules);
        }

        @Override
        public Object key() {
            return place;
        }

        boolean isShared() {
            return ChainNames.isShared(place.chain());
        }

        @Override
        public String toString() {
            return place
                    + rules.stream()
                            .map(rule -> "\n    -A %s %s".formatted(place.chain(), rule))
                            .collect(Collectors.joining());
        }
    }

    /// One rule of ours among those of others: of other Services in a shared chain, of strangers in a built-in one. It
    /// stands in front, and has no order among its like.
    record Line(Place place, Rule rule) implements IptablesEntry {
        @Override
        public Object key() {
            return this;
        }

        @Override
        public String toString() {
            return place + " " + rule;
        }
    }
}
