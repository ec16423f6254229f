package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GoDurationTest {
    @ParameterizedTest
    @CsvSource({
        "0, PT0S",
        "0s, PT0S",
        "500ms, PT0.5S",
        "1m30s, PT1M30S",
        "24h0m0s, PT24H",
        "1.5h, PT1H30M",
        "1us, PT0.000001S"
    })
    void what_go_writes_is_read(String text, Duration duration) {
        assertThat(GoDuration.find(text)).hasValue(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "banana", "5", "1h banana", "h", "-1s", "1d"})
    void all_else_is_none(String text) {
        assertThat(GoDuration.find(text)).isEmpty();
    }
}
