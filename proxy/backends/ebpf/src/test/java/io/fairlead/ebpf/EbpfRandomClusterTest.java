package io.fairlead.ebpf;

import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Tracer;
import io.fairlead.testkit.RandomClusterCheck;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class EbpfRandomClusterTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 30);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void every_packet_becomes_what_the_table_says(long seed) {
        RandomClusterCheck.check(seed, EbpfRandomClusterTest::play);
    }

    private static Tracer play(ForwardingTable table, NodeFacts node) {
        return Layered.over(program(table, node), table, node);
    }

    private static Program<EbpfEntry> program(ForwardingTable table, NodeFacts node) {
        try (EbpfBackend backend = EbpfBackend.open(node, new EbpfSite("", ""))) {
            return Program.of(backend.compiler(), table);
        }
    }
}
