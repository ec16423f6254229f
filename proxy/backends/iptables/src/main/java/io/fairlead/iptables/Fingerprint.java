package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.kernel.LegacyTable;
import io.fairlead.kernel.NetfilterBatch;
import io.fairlead.kernel.NetfilterSocket;
import io.fairlead.kernel.NetlinkMessage;
import io.fairlead.kernel.NetlinkWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A cheap sign of what the packet filter holds: another one means that somebody changed something.
///
/// nf_tables counts its transactions. The old filter has no such number, but tells how large its tables are.
sealed interface Fingerprint {
    /// Whether `after` is what is left when we made so many transactions that added so much, and nobody else made any.
    boolean leadsTo(Fingerprint after, int transactions, Growth growth);

    /// How many transactions the kernel has counted.
    record Generation(int number) implements Fingerprint {
        @Override
        public boolean leadsTo(Fingerprint after, int transactions, Growth growth) {
            return after instanceof Generation(int later) && later == number + transactions;
        }
    }

    /// The size of each table.
    record Sizes(Map<Slot, LegacyTable> tables) implements Fingerprint {
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

        private static Map<Slot, Integer> rules(Map<Slot, LegacyTable> tables) {
            Map<Slot, Integer> rules = new HashMap<>();
            tables.forEach((slot, table) -> rules.put(slot, table.rules()));
            return rules;
        }
    }

    /// As it is now, in the network namespace of the calling thread.
    static Fingerprint read(Variant variant, List<Family> families) {
        return switch (variant) {
            case NFT -> new Generation(generation());
            case LEGACY -> new Sizes(sizes(families));
        };
    }

    private static Map<Slot, LegacyTable> sizes(List<Family> families) {
        Map<Slot, LegacyTable> sizes = new HashMap<>();
        for (Family family : families) {
            for (Table table : Table.values()) {
                sizes.put(
                        new Slot(family, table),
                        switch (family) {
                            case IPV4 -> LegacyTable.ofIpv4(table.toString());
                            case IPV6 -> LegacyTable.ofIpv6(table.toString());
                        });
            }
        }
        return sizes;
    }

    private static int generation() {
        int nftables = 10; // NFNL_SUBSYS_NFTABLES
        int getGeneration = 16; // NFT_MSG_GETGEN
        int generationId = 1; // NFTA_GEN_ID
        try (NetfilterSocket socket = NetfilterSocket.open()) {
            NetlinkWriter request = NetfilterBatch.request(nftables, getGeneration, NetlinkWriter.REQUEST, 0);
            NetlinkMessage answer = socket.ask(request).getFirst();
            return answer.attributes(NetfilterSocket.HEADER).be32(generationId);
        }
    }
}
