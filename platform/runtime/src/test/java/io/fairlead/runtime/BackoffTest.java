package io.fairlead.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @Test
    void each_step_is_between_half_and_the_whole_of_twice_the_last_up_to_the_limit() {
        for (int seed = 0; seed < 200; seed++) {
            Backoff backoff = new Backoff(FIRST, LIMIT, new Random(seed));
            Duration step = FIRST;
            for (int i = 0; i < 100; i++) {
                assertThat(backoff.next()).isBetween(step.dividedBy(2), step);
                step = step.multipliedBy(2).compareTo(LIMIT) > 0 ? LIMIT : step.multipliedBy(2);
            }
        }
    }

    @Test
    void success_makes_it_small_again() {
        Backoff backoff = new Backoff(FIRST, LIMIT, new Random(1));
        for (int i = 0; i < 10; i++) {
            backoff.next();
        }
        backoff.reset();
        assertThat(backoff.next()).isBetween(FIRST.dividedBy(2), FIRST);
    }

    @Test
    void long_steps_do_not_overflow() {
        Backoff backoff = new Backoff(Duration.ofDays(1), Duration.ofDays(1000), new Random(1));
        for (int i = 0; i < 200; i++) {
            assertThat(backoff.next()).isBetween(Duration.ofHours(12), Duration.ofDays(1000));
        }
    }

    @Test
    void two_that_fail_together_do_not_come_back_together() {
        Backoff one = new Backoff(FIRST, LIMIT, new Random(1));
        Backoff two = new Backoff(FIRST, LIMIT, new Random(2));
        assertThat(one.next()).isNotEqualTo(two.next());
    }
}
