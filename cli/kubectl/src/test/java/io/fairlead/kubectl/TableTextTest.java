package io.fairlead.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TableTextTest {

    @Test
    void columns_are_as_wide_as_their_widest_cell_and_three_spaces() {
        assertThat(new TableText()
                        .lines(List.of(List.of("NAME", "TYPE", "AGE"), List.of("kubernetes", "ClusterIP", "3s"))))
                .isEqualTo("NAME         TYPE        AGE\nkubernetes   ClusterIP   3s\n");
    }

    @Test
    void a_column_is_never_narrower_than_six() {
        assertThat(new TableText().lines(List.of(List.of("a", "b")))).isEqualTo("a     b\n");
    }

    @Test
    void later_rows_line_up_with_earlier_ones() {
        TableText table = new TableText();
        table.lines(List.of(List.of("NAME", "AGE"), List.of("kubernetes", "3s")));
        assertThat(table.lines(List.of(List.of("web", "1s")))).isEqualTo("web          1s\n");
    }

    @Test
    void letters_outside_the_basic_plane_count_once() {
        assertThat(new TableText().lines(List.of(List.of("𝒽𝑒𝓁𝓁𝑜", "b")))).isEqualTo("𝒽𝑒𝓁𝓁𝑜   b\n");
    }
}
