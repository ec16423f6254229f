package io.fairlead.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class TabbedTextTest {
    @Test
    void a_column_ends_where_a_line_has_no_such_cell() {
        assertThat(TabbedText.align("Name:\tweb\nNamespace:\tours\nPods:\n  a:\t1\n  long:\t2\tx\n"))
                .isEqualTo("Name:       web\nNamespace:  ours\nPods:\n  a:     1\n  long:  2  x\n");
    }

    @Test
    void ages_are_rounded_as_kubectl_rounds_them() {
        assertThat(Ages.text(Duration.ofSeconds(119))).isEqualTo("119s");
        assertThat(Ages.text(Duration.ofSeconds(125))).isEqualTo("2m5s");
        assertThat(Ages.text(Duration.ofMinutes(179))).isEqualTo("179m");
        assertThat(Ages.text(Duration.ofMinutes(181))).isEqualTo("3h1m");
        assertThat(Ages.text(Duration.ofHours(47))).isEqualTo("47h");
        assertThat(Ages.text(Duration.ofHours(50))).isEqualTo("2d2h");
        assertThat(Ages.text(Duration.ofDays(729))).isEqualTo("729d");
        assertThat(Ages.text(Duration.ofDays(732))).isEqualTo("2y2d");
        assertThat(Ages.text(Duration.ofDays(365 * 9))).isEqualTo("9y");
        assertThat(Ages.text(Duration.ofSeconds(-5))).isEqualTo("<invalid>");
    }

    @Test
    void fields_become_words() {
        assertThat(FieldsDescriber.title("creationTimestamp")).isEqualTo("Creation Timestamp");
        assertThat(FieldsDescriber.title("apiVersion")).isEqualTo("API Version");
        assertThat(FieldsDescriber.title("clusterIP")).isEqualTo("Cluster IP");
        assertThat(FieldsDescriber.title("app.io/x")).isEqualTo("app.io/x");
    }
}
