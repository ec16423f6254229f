package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Snapshot;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class NetworkProgrammingTest {
    private static final String NOON = "2026-01-31T12:00:00Z";
    private static final Instant START = Instant.parse("2026-01-31T11:00:00Z");
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:01.5Z");

    @Test
    void a_changed_slice_counts_from_the_change_it_was_written_for() {
        assertThat(NetworkProgramming.delays(TestCluster.withPod(1), TestCluster.withPod(2, NOON), START, NOW))
                .containsExactly(Duration.ofMillis(1500));
    }

    @Test
    void a_change_from_before_the_start_of_the_proxy_does_not_count() {
        assertThat(NetworkProgramming.delays(
                        TestCluster.withPod(1),
                        TestCluster.withPod(2, NOON),
                        Instant.parse(NOON).plusMillis(1),
                        NOW))
                .isEmpty();
    }

    @Test
    void a_new_slice_counts_too() {
        assertThat(NetworkProgramming.delays(Snapshot.EMPTY, TestCluster.withPod(1, NOON), START, NOW))
                .hasSize(1);
    }

    @Test
    void a_slice_that_went_does_not_count() {
        assertThat(NetworkProgramming.delays(TestCluster.withPod(1, NOON), Snapshot.EMPTY, START, NOW))
                .isEmpty();
    }

    @Test
    void a_slice_written_again_for_the_same_change_does_not_count_twice() {
        assertThat(NetworkProgramming.delays(TestCluster.withPod(1, NOON), TestCluster.withPod(2, NOON), START, NOW))
                .isEmpty();
    }

    @Test
    void a_slice_that_does_not_say_what_it_was_written_for_does_not_count() {
        assertThat(NetworkProgramming.delays(Snapshot.EMPTY, TestCluster.withPod(1), START, NOW))
                .isEmpty();
        assertThat(NetworkProgramming.delays(Snapshot.EMPTY, TestCluster.withPod(1, "noon"), START, NOW))
                .isEmpty();
    }

    @Test
    void a_slice_that_names_a_time_far_away_counts_from_now() {
        assertThat(NetworkProgramming.delays(
                        Snapshot.EMPTY, TestCluster.withPod(1, "+999999999-12-31T23:59:59Z"), START, NOW))
                .containsExactly(Duration.ZERO);
    }
}
