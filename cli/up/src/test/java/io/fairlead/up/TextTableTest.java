package io.fairlead.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TextTableTest {
    @Test
    void columns_are_as_wide_as_their_widest_cell() {
        assertThat(TextTable.format(
                        List.of("NODE", "ADDRESS", "X"),
                        List.of(List.of("node-1", "10.210.0.11", "a"), List.of("n", "1", ""))))
                .isEqualTo("""
                    NODE     ADDRESS       X
                    node-1   10.210.0.11   a
                    n        1
                    """);
    }

    @Test
    void a_table_without_rows_has_its_head() {
        assertThat(TextTable.format(List.of("POD", "NODE"), List.of())).isEqualTo("POD   NODE\n");
    }
}
