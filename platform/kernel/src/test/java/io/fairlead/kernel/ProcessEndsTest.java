package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

final class ProcessEndsTest {
    @Test
    void the_end_of_a_process_that_is_gone_is_told_at_once() {
        try (ProcessEnds ends = new ProcessEnds()) {
            LinkedBlockingQueue<OptionalInt> told = new LinkedBlockingQueue<>();
            ends.watch(Integer.MAX_VALUE, told::add);
            assertThat(told.poll()).isEqualTo(OptionalInt.empty());
        }
    }
}
