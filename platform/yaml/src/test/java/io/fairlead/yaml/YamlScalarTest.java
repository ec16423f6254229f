package io.fairlead.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class YamlScalarTest {

    @ParameterizedTest
    @CsvSource({
        "yes, true",
        "Yes, true",
        "on, true",
        "y, true",
        "TRUE, true",
        "no, false",
        "Off, false",
        "n, false",
        "~, null",
        "Null, null",
        "0644, 420",
        "0o17, 15",
        "0x10, 16",
        "-0x10, -16",
        "0b101, 5",
        "+12, 12",
        "1_000, 1000",
        "08, 8",
        "80.0, 80",
        "8e1, 80",
        "1.5, 1.5",
        ".5, 0.5",
        "-2.25, -2.25",
        "9223372036854775807, 9223372036854775807",
        "18446744073709551615, 18446744073709551615",
    })
    void a_word_is_read_as_kubectl_reads_it(String word, String json) {
        assertThat(YamlScalar.value(word)).isEqualTo(Json.parse(json));
        assertThat(YamlScalar.isPlainText(word)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2001-01-01", "2001-01-01T10:00:00Z", "1:30", "12:30:45"})
    void dates_and_numbers_of_base_60_stay_text_but_are_quoted_for_other_readers(String word) {
        assertThat(YamlScalar.value(word).stringValue()).isEqualTo(word);
        assertThat(YamlScalar.isPlainText(word)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yEs",
                "nil",
                "10.0.0.1",
                "1.2.3",
                "v1",
                "0x",
                "0xg",
                "1e",
                "+",
                "-",
                ".",
                "hello",
                "fe80::1",
                "1h"
            })
    void other_words_are_text(String word) {
        assertThat(YamlScalar.value(word).stringValue()).isEqualTo(word);
        assertThat(YamlScalar.isPlainText(word)).isTrue();
    }

    @Test
    void keys_are_the_text_of_their_value() {
        assertThat(Yaml.parseAll("8080: a\nyes: b\n0x10: c\n"))
                .containsExactly(Json.parse("{\"8080\": \"a\", \"true\": \"b\", \"16\": \"c\"}"));
    }

    @Test
    void quotes_make_any_word_a_text() {
        assertThat(Yaml.parseAll("['yes', \"0644\", '', \"~\"]"))
                .containsExactly(Json.parse("[\"yes\", \"0644\", \"\", \"~\"]"));
    }

    @Test
    void a_tag_demands_a_type() {
        assertThat(Yaml.parseAll("[!!str yes, !!int '8', !!float 1, !!bool on, !!binary aGk=, !own x]"))
                .containsExactly(Json.parse("[\"yes\", 8, 1, true, \"hi\", \"x\"]"));
        assertThatThrownBy(() -> Yaml.parseAll("a: !!int x"))
                .isInstanceOf(ParseException.class)
                .hasMessage("line 1, column 4: \"x\" is no int");
    }

    @Test
    void infinity_has_no_place_in_json() {
        assertThatThrownBy(() -> Yaml.parseAll("a: .inf"))
                .isInstanceOf(ParseException.class)
                .hasMessage("line 1, column 4: .inf has no place in JSON");
    }
}
