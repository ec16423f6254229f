package io.fairlead.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LabelSelectorTest {
    private static final Map<String, String> WEB = Map.of("app", "web", "tier", "front", "example.com/x", "");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                            | true",
                "app=web                       | true",
                "app==web                      | true",
                "app = web                     | true",
                "app=db                        | false",
                "app!=db                       | true",
                "app!=web                      | false",
                "missing!=web                  | true",
                "app in (db, web)              | true",
                "app in (db)                   | false",
                "app notin (db,cache)          | true",
                "app notin (web)               | false",
                "missing notin (web)           | true",
                "missing in (web)              | false",
                "app                           | true",
                "missing                       | false",
                "!app                          | false",
                "!missing                      | true",
                "! missing                     | true",
                "example.com/x=                | true",
                "app=web,tier=front            | true",
                "app=web,tier in (a,b)         | false",
                "app in (web,db),tier=front,!z | true"
            })
    void selects_by_what_is_asked_of_labels(String text, boolean matches) {
        assertThat(LabelSelector.parse(text).matches(WEB)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a,,b", "a=b,", "=b", "a in b", "a in (b", "a=b=c", "a>1", "!a=b", "a=b c", "-a=b"})
    void a_text_that_is_no_selector_is_refused_with_its_part(String text) {
        assertThatThrownBy(() -> LabelSelector.parse(text)).isInstanceOf(ParseException.class);
    }

    @Test
    void the_error_names_the_rule() {
        assertThatThrownBy(() -> LabelSelector.parse("ok=1,a b"))
                .hasMessageContaining("'a b'")
                .hasMessageContaining("key in (a,b)");
        assertThatThrownBy(() -> LabelSelector.parse("a=b!c")).isInstanceOf(ParseException.class);
        assertThatThrownBy(() -> LabelSelector.parse("a=" + "x".repeat(64))).hasMessageContaining("63");
    }

    @Test
    void prints_as_it_is_written() {
        assertThat(LabelSelector.parse("a==b, c!=d,e in (f,g),h notin (i,j),k,!l"))
                .hasToString("a=b,c!=d,e in (f,g),h notin (i,j),k,!l");
    }

    @Test
    void a_workload_selects_by_labels_and_expressions() {
        LabelSelector selector = LabelSelector.of(Json.parse("""
            {"matchLabels":{"app":"web"},"matchExpressions":[
              {"key":"tier","operator":"In","values":["front","back"]},
              {"key":"old","operator":"DoesNotExist"},
              {"key":"app","operator":"Exists"},
              {"key":"tier","operator":"NotIn","values":["back"]}]}\
            """));

        assertThat(selector.matches(WEB)).isTrue();
        assertThat(selector.matches(Map.of("app", "web", "tier", "back"))).isFalse();
        assertThat(selector.matches(Map.of("app", "web", "tier", "front", "old", "")))
                .isFalse();
    }
}
