package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Entry;
import java.util.List;
import java.util.stream.Collectors;

/// What this backend owns in the kernel; its text is that of `iptables-save`.
public sealed interface IptablesEntry extends Entry {
    ChainKey place();

    /// How many rules it is.
    int size();

    /// A chain of ours, with its rules. Of a chain that Services share, only those behind their lines.
    record Chain(ChainKey place, List<Rule> rules) implements IptablesEntry {
        public Chain {
            rules = List.copyOf(rules);
        }

        @Override
        public Object key() {
            return place;
        }

        @Override
        public int size() {
            return rules.size();
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

    /// The kernel leads packets to 127.0.0.1 on, and did not before we came: what node ports there need.
    record Switch() implements IptablesEntry {
        /// The chain that keeps others away from there; without it the switch must not be on.
        static final ChainKey GUARD = new ChainKey(Family.IPV4, Table.FILTER, ChainNames.LOCALNET);
        /// What that chain says where the switch was on before we came: then it is not ours.
        static final String NOT_OURS = "route_localnet was on before";

        @Override
        public ChainKey place() {
            return GUARD;
        }

        @Override
        public Object key() {
            return this;
        }

        @Override
        public int size() {
            return 0;
        }

        @Override
        public String toString() {
            return "net.ipv4.conf.all.route_localnet = 1";
        }
    }

    /// One rule of ours among those of others: of other Services in a shared chain, of strangers in a built-in one. It
    /// stands in front, and has no order among its like.
    record Line(ChainKey place, Rule rule) implements IptablesEntry {
        @Override
        public Object key() {
            return this;
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public String toString() {
            return place + " " + rule;
        }
    }
}
