package io.fairlead.userspace;

import io.fairlead.testkit.RandomClusterCheck;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class UserspaceRandomClusterTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 15);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void every_packet_becomes_what_the_table_says(long seed) {
        RandomClusterCheck.check(seed, ByNature::new);
    }
}
