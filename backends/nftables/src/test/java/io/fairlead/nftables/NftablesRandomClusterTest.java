package io.fairlead.nftables;

import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.testkit.PacketTracer;
import io.fairlead.testkit.RandomClusterCheck;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NftablesRandomClusterTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void every_packet_becomes_what_the_table_says(long seed) {
        RandomClusterCheck.check(seed, NftablesRandomClusterTest::play);
    }

    private static PacketTracer play(ForwardingTable table, NodeFacts node) {
        try (NftablesBackend backend = NftablesBackend.open(node)) {
            return new NftablesTracer(Program.of(backend, table), node.addresses());
        }
    }
}
