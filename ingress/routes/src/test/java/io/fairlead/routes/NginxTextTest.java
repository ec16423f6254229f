package io.fairlead.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NginxTextTest {
    private static final List<String> HOSTILE = List.of(
            "a; } http { server { listen 1; }",
            "\" ; load_module /tmp/evil.so; \"",
            "\\",
            "\\\" ; x",
            "{}",
            "# comment",
            "'; x '",
            "a b\u00a0c",
            "x".repeat(100_000));

    @Test
    void a_tree_that_was_written_is_read_back_whatever_its_words_are() {
        for (String word : HOSTILE) {
            List<Statement> tree = List.of(
                    Statement.block(
                            "http", List.of(word), List.of(new Statement.Simple("x", List.of(word, "plain", word)))),
                    new Statement.Simple(word, List.of()));
            assertThat(NginxText.parse(NginxText.format(tree))).isEqualTo(tree);
        }
    }

    @Test
    void a_word_with_a_line_end_or_a_null_is_not_written() {
        for (String word : List.of("a\nb", "a\0b", "a\rb")) {
            List<Statement> tree = List.of(new Statement.Simple("x", List.of(word)));
            assertThatThrownBy(() -> NginxText.format(tree)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void a_fixed_text_names_no_variable() {
        assertThatThrownBy(() -> Statement.simple("return", "200", "$host"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void what_nginx_would_not_read_is_not_read() {
        for (String text : List.of("a", "a {", "}", "a \"b", ";")) {
            assertThatThrownBy(() -> NginxText.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
