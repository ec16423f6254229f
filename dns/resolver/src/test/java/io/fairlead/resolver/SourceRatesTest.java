package io.fairlead.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SourceRatesTest {
    private static final Ip CLIENT = Ip.parse("10.244.1.5");
    private static final long SECOND = 1_000_000_000L;

    @Test
    void a_client_gets_a_seconds_worth_at_once_and_then_as_time_goes_on() {
        SourceRates rates = new SourceRates(10, 0);
        assertThat(allowed(rates, 100, 0)).isEqualTo(10);
        assertThat(allowed(rates, 100, SECOND / 2)).isEqualTo(5);
        assertThat(allowed(rates, 100, 60 * SECOND))
                .as("no more than a second's worth is saved")
                .isEqualTo(10);
    }

    @Test
    void addresses_of_one_ipv6_network_count_as_one_client() {
        SourceRates rates = new SourceRates(3, 0);
        long allowed = IntStream.range(0, 50)
                .filter(i -> rates.allow(Ip.parse("fd00:244::%x".formatted(i)), 0))
                .count();
        assertThat(allowed).isEqualTo(3);
    }

    @Test
    void a_rate_of_none_lets_all_through() {
        assertThat(allowed(new SourceRates(0, 0), 1000, 0)).isEqualTo(1000);
    }

    private static long allowed(SourceRates rates, int asked, long now) {
        return IntStream.range(0, asked).filter(_ -> rates.allow(CLIENT, now)).count();
    }
}
