package io.fairlead.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SourceRangesTest {
    @ParameterizedTest
    @CsvSource({
        "192.168.1.0/24, 192.168.1.0/24",
        "192.168.001.0/24, 192.168.1.0/24",
        "010.000.000.000/08, 10.0.0.0/8",
        "10.1.2.3/8, 10.0.0.0/8",
        "0.0.0.0/0, 0.0.0.0/0",
        "::/0, ::/0",
        "::ffff:192.168.0.0/112, 192.168.0.0/16",
        "fd00:0244::/32, fd00:244::/32",
    })
    void a_range_is_read_as_earlier_servers_let_it_be_written(String text, String range) {
        assertThat(SourceRanges.of(List.of(" " + text + " "))).containsExactly(Cidr.parse(range));
    }

    @Test
    void what_cannot_be_read_lets_no_client_in_and_closes_its_own_family() {
        assertThat(SourceRanges.of(List.of("everybody", "10.0.0.0/33", "10.0.0.0", "fd00::x/8", "")))
                .isNotEmpty()
                .allSatisfy(range -> assertThat(range.size()).isEqualTo(1))
                .extracting(range -> range.network().toString())
                .containsExactly("0.0.0.0", "0.0.0.0", "0.0.0.0", "::", "0.0.0.0");
    }
}
