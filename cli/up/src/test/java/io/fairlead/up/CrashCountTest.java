package io.fairlead.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CrashCountTest {
    @Test
    void five_crashes_in_a_minute_are_borne_and_six_are_not() {
        CrashCount crashes = CrashCount.NONE;
        for (int second = 0; second < 5; second++) {
            crashes = crashes.plus(Duration.ofSeconds(second).toNanos());
        }
        assertThat(crashes.isTooMany()).isFalse();
        assertThat(crashes.plus(Duration.ofSeconds(59).toNanos()).isTooMany()).isTrue();
    }

    @Test
    void crashes_of_long_ago_are_forgotten() {
        CrashCount crashes = CrashCount.NONE;
        for (int minute = 0; minute < 20; minute++) {
            crashes = crashes.plus(Duration.ofSeconds(15L * minute).toNanos());
        }
        assertThat(crashes.nanoTimes()).hasSize(4);
        assertThat(crashes.isTooMany()).isFalse();
    }

    @Test
    void the_clock_may_run_over_its_end() {
        long end = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();
        CrashCount crashes =
                CrashCount.NONE.plus(end).plus(end + Duration.ofSeconds(2).toNanos());
        assertThat(crashes.nanoTimes()).hasSize(2);
    }
}
