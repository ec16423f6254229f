package io.fairlead.nftables;

import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Tracer;
import io.fairlead.testkit.RandomClusterCheck;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class NftablesRandomClusterTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 15);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void every_packet_becomes_what_the_table_says(long seed) {
        RandomClusterCheck.check(seed, NftablesRandomClusterTest::play);
    }

    private static Tracer play(ForwardingTable table, NodeFacts node) {
        try (NftablesBackend backend = NftablesBackend.open(node)) {
            return new NftablesTracer(Program.of(backend.compiler(), table), node.addresses());
        }
    }
}
