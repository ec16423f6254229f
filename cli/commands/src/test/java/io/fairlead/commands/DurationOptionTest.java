package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DurationOptionTest {
    private final DurationOption option = new DurationOption();

    @Test
    void a_length_of_time_is_a_sum_of_numbers_with_units() {
        assertThat(option.convert("10s")).isEqualTo(Duration.ofSeconds(10));
        assertThat(option.convert("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(option.convert("1h30m")).isEqualTo(Duration.ofMinutes(90));
        assertThat(option.convert("5m0s")).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void a_number_without_a_unit_is_none() {
        for (String text : List.of("", "10", "s", "-5s", "1d", "5 m")) {
            assertThatThrownBy(() -> option.convert(text)).hasMessageContaining("not a length of time");
        }
    }
}
