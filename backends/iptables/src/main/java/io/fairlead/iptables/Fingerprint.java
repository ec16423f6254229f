package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.kernel.LegacyTable;
import io.fairlead.kernel.NetfilterBatch;
import io.fairlead.kernel.NetfilterSocket;
import io.fairlead.kernel.NetlinkMessage;
import io.fairlead.kernel.NetlinkWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A cheap sign of what the packet filter holds: another one means that somebody changed something.
///
/// nf_tables counts its transactions. The old filter has no such number, but tells how large its tables are.
sealed interface Fingerprint {
    /// Whether `after` is what is left when we made so many transactions and nobody else made any.
    boolean leadsTo(Fingerprint after, int transactions);

    /// How many transactions the kernel has counted.
    record Generation(int number) implements Fingerprint {
        @Override
        public boolean leadsTo(Fingerprint after, int transactions) {
            return after instanceof Generation(int later) && later == number + transactions;
        }
    }

    /// The size of each table.
    record Sizes(List<LegacyTable> tables) implements Fingerprint {
        public Sizes {
            tables = List.copyOf(tables);
        }

        @Override
        public boolean leadsTo(Fingerprint after, int transactions) {
            return true;
        }
    }

    /// As it is now, in the network namespace of the calling thread.
    static Fingerprint read(Variant variant, List<Family> families) {
        return switch (variant) {
            case NFT -> new Generation(generation());
            case LEGACY -> new Sizes(sizes(families));
        };
    }

    private static List<LegacyTable> sizes(List<Family> families) {
        List<LegacyTable> sizes = new ArrayList<>();
        for (Family family : families) {
            Arrays.stream(Table.values())
                    .map(Table::toString)
                    .forEach(table -> sizes.add(
                            switch (family) {
                                case IPV4 -> LegacyTable.ofIpv4(table);
                                case IPV6 -> LegacyTable.ofIpv6(table);
                            }));
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
