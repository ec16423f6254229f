package io.fairlead.iptables;

import java.util.HashMap;
import java.util.Map;

/// A cheap sign of what the packet filter holds: another one means that a program changed something. Pure.
///
/// nf_tables counts its transactions. The old filter has no such number, but tells how large its tables are.
sealed interface Fingerprint {
    /// Whether `after` is what is left when we made so many transactions that added so much, and no other program made
    /// any.
    boolean leadsTo(Fingerprint after, int transactions, Growth growth);

    /// How many transactions the kernel has counted.
    record Generation(int number) implements Fingerprint {
        @Override
        public boolean leadsTo(Fingerprint after, int transactions, Growth growth) {
            return after instanceof Generation(int later) && later == number + transactions;
        }
    }

    /// How many rules a table has, and how many bytes they take.
    record Size(int rules, int bytes) {}

    /// The size of each table.
    record Sizes(Map<Slot, Size> tables) implements Fingerprint {
        public Sizes {
            tables = Map.copyOf(tables);
        }

        /// By the number of rules: what they weigh only the tools know.
        @Override
        public boolean leadsTo(Fingerprint after, int transactions, Growth growth) {
            return after instanceof Sizes(var later) && grown(growth).equals(rules(later));
        }

        private Map<Slot, Integer> grown(Growth growth) {
            Map<Slot, Integer> rules = rules(tables);
            rules.replaceAll((slot, count) -> count + growth.in(slot));
            return rules;
        }

        private static Map<Slot, Integer> rules(Map<Slot, Size> tables) {
            Map<Slot, Integer> rules = new HashMap<>();
            tables.forEach((slot, table) -> rules.put(slot, table.rules()));
            return rules;
        }
    }
}
