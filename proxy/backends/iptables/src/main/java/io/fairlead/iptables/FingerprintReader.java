package io.fairlead.iptables;

import io.fairlead.api.Family;
import io.fairlead.iptables.Fingerprint.Size;
import io.fairlead.kernel.LegacyTable;
import io.fairlead.kernel.NetfilterBatch;
import io.fairlead.kernel.NetfilterSocket;
import io.fairlead.kernel.NetlinkMessage;
import io.fairlead.kernel.NetlinkWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads the [Fingerprint] of the packet filter.
final class FingerprintReader {
    private FingerprintReader() {}

    /// As it is now, in the network namespace of the calling thread.
    static Fingerprint read(Variant variant, List<Family> families) {
        return switch (variant) {
            case NFT -> new Fingerprint.Generation(generation());
            case LEGACY -> new Fingerprint.Sizes(sizes(families));
        };
    }

    private static Map<Slot, Size> sizes(List<Family> families) {
        Map<Slot, Size> sizes = new HashMap<>();
        for (Family family : families) {
            for (Table table : Table.values()) {
                LegacyTable now = switch (family) {
                    case IPV4 -> LegacyTable.ofIpv4(table.toString());
                    case IPV6 -> LegacyTable.ofIpv6(table.toString());
                };
                sizes.put(new Slot(family, table), new Size(now.rules(), now.bytes()));
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
            return answer.attributes(NetfilterBatch.HEADER).be32(generationId);
        }
    }
}
