package io.fairlead.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class YamlTest {

    @Test
    void a_manifest_becomes_the_tree_that_its_json_spells() {
        assertThat(Yaml.parseAll("""
            apiVersion: v1
            kind: Service
            metadata: {name: hello, labels: {app: hello}}
            spec:
              selector:
                app: "hello"
              ports:
              - port: 80
                targetPort: http
            """)).containsExactly(Json.parse("""
                {"apiVersion": "v1", "kind": "Service",
                 "metadata": {"name": "hello", "labels": {"app": "hello"}},
                 "spec": {"selector": {"app": "hello"}, "ports": [{"port": 80, "targetPort": "http"}]}}\
                """));
    }

    @Test
    void several_documents_come_in_order_and_empty_ones_are_left_out() {
        assertThat(Yaml.parseAll("---\n# only a comment\n---\na: 1\n---\n---\nb: 2\n...\n"))
                .containsExactly(Json.parse("{\"a\": 1}"), Json.parse("{\"b\": 2}"));
        assertThat(Yaml.parseAll("")).isEmpty();
        assertThat(Yaml.parseAll("# nothing\n")).isEmpty();
    }

    @Test
    void json_is_read_too_with_tabs_and_escapes() {
        assertThat(Yaml.parseAll("{\n\t\"path\": \"a\\/b\",\n\t\"no\": \"yes\"\n}\n"))
                .containsExactly(Json.parse("{\"path\": \"a/b\", \"no\": \"yes\"}"));
    }

    @Test
    void a_brace_may_also_open_yaml_in_flow_style() {
        assertThat(Yaml.parseAll("{a: yes, b: [1, 2]}")).containsExactly(Json.parse("{\"a\": true, \"b\": [1, 2]}"));
    }

    @Test
    void an_alias_is_a_copy_of_its_anchor() {
        JsonNode tree = one("""
            one: &labels
              app: hello
            two: *labels
            """);
        assertThat(tree.get("two")).isEqualTo(tree.get("one")).isNotSameAs(tree.get("one"));
    }

    @Test
    void the_merge_key_adds_fields_that_are_not_there() {
        assertThat(one("""
            base: &base {a: 1, b: 1}
            more: &more {b: 2, c: 2}
            it:
              a: 3
              <<: [*base, *more]
            """).get("it")).isEqualTo(Json.parse("{\"a\": 3, \"b\": 1, \"c\": 2}"));
    }

    @Test
    void what_is_written_reads_back_as_the_same_tree() {
        JsonNode tree = Json.parse("""
            {"bool": true, "text": "true", "yes": "yes", "on": "off", "y": "n", "null": null, "nothing": "",
             "number": 80, "digits": "80", "octal": "0644", "hex": "0x10", "real": 1.5, "tilde": "~",
             "time": "2026-01-31T10:00:00Z", "date": "2026-01-31", "minutes": "1:30", "merge": "<<",
             "colon": "a: b", "comment": "a #b", "dash": "- a", "star": "*a", "quote": "it's \\"so\\"",
             "lines": "one\\ntwo\\n", "trailing": "one\\n\\n", "leading": "\\n  one", "space": " a ", "tab": "a\\tb",
             "unicode": "Grüße, 世界", "control": "\\u0007", "brace": "{a}", "percent": "%a", "at": "@a",
             "emptyList": [], "emptyObject": {}, "list": [1, "1", [2, [3]], {"a": {"b": []}}],
             "long": "xxxxxxxxxxxxxxxxxxxx xxxxxxxxxxxxxxxxxxxxxxxxxxxxx xxxxxxxxxxxxxxxxxxxxxxxxxxxxx xxxxxxxxxxxxxxxxxxxxxxx",
             "big": 18446744073709551615, "inf": ".inf", "8080": "key is a number", "true": "key is a truth"}\
            """);
        assertThat(Yaml.parseAll(Yaml.format(tree))).containsExactly(tree);
    }

    @Test
    void it_is_written_in_block_style_with_the_fields_in_their_order() {
        JsonNode tree = Json.parse("""
            {"kind": "Service", "metadata": {"creationTimestamp": "2026-01-31T10:00:00Z", "labels": {}},
             "spec": {"ports": [{"port": 80, "targetPort": "8080"}], "type": "ClusterIP"}}\
            """);
        assertThat(Yaml.format(tree)).isEqualTo("""
            kind: Service
            metadata:
              creationTimestamp: "2026-01-31T10:00:00Z"
              labels: {}
            spec:
              ports:
              - port: 80
                targetPort: "8080"
              type: ClusterIP
            """);
    }

    @Test
    void a_missing_space_after_a_colon_is_named() {
        fails("""
            spec:
              type: ClusterIP
              sessionAffinity:ClientIP
              ports: []
            """, "line 4, column 3: ", "a space is missing after the colon in \"sessionAffinity:ClientIP\"");
        fails("""
            spec:
              sessionAffinity:ClientIP
              ports: []
            """, "a space is missing after the colon in \"sessionAffinity:ClientIP\"");
    }

    @Test
    void a_key_that_is_there_twice_is_refused() {
        fails("a: 1\nb: 2\na: 3\n", "line 3, column 1: the key \"a\" is here twice");
        fails("a: 1\n---\nb: 1\nb: 2\n", "document 2, line 4, column 1: the key \"b\" is here twice");
        fails("---\n# empty ones do not count\n---\na: 1\na: 2\n", "line 5, column 1: the key \"a\" is here twice");
        fails("{\"a\": 1, \"a\": 2}", "line 1, column", "\"a\"");
    }

    @Test
    void broken_text_is_refused_with_its_line_and_column() {
        fails("a:\n\tb: 1\n", "line 2, column 1: ", "TAB");
        fails("a: [1, 2\n", "line 2, column 1: ");
        fails("a: 'open\n", "quoted scalar");
        fails("a: b: c\n", "line 1, column 5: mapping values are not allowed here");
        fails("a: \u0007\n", "line 1, column 4: the character U+0007 may not stand in YAML");
        fails("{\"a\": 1,\n \"b\" 2}", "line 2, column", "not JSON");
    }

    @Test
    void an_escape_that_names_no_character_is_refused() {
        fails("a: \"\\u", "an escape in quotes");
        fails("a: \"\\x\"", "line 1, column");
        fails("a: \"\\UFFFFFFFF\"", "names no character");
    }

    @Test
    void an_alias_needs_a_complete_anchor_before_it() {
        fails("a: *b\n", "line 1, column 4: the alias *b has no complete anchor &b before it");
        fails("a: &a [*a]\n", "the alias *a has no complete anchor &a before it");
        fails("a: &a 1\n---\nb: *a\n", "document 2, line 3, column 4: the alias *a has no complete anchor");
    }

    @Test
    void aliases_of_aliases_do_not_unfold_without_bound() {
        StringBuilder laughs = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 10; i++) {
            laughs.append("a%d: &a%d [".formatted(i, i))
                    .append("*a%d,".formatted(i - 1).repeat(10))
                    .append("]\n");
        }
        fails(laughs.toString(), "the aliases unfold to more than 100000 values");
    }

    @Test
    void depth_and_size_are_bounded() {
        fails("[".repeat(5000) + "]".repeat(5000), "nested deeper than 100 levels");
        fails("- ".repeat(5000), "nested deeper than 100 levels");
        assertThatThrownBy(() -> Yaml.parseAll(" ".repeat(Yaml.MAX_CHARACTERS + 1)))
                .isInstanceOf(ParseException.class)
                .hasMessageContaining("characters are too many");
    }

    @Test
    void a_list_or_a_null_is_no_key() {
        fails("? [a]\n: b\n", "a key must be a word, a number or a truth value");
        fails("~: b\n", "a key must be a word, a number or a truth value");
    }

    private static JsonNode one(String text) {
        List<JsonNode> documents = Yaml.parseAll(text);
        assertThat(documents).hasSize(1);
        return documents.getFirst();
    }

    private static void fails(String text, String... parts) {
        assertThatThrownBy(() -> Yaml.parseAll(text))
                .isInstanceOf(ParseException.class)
                .message()
                .contains(parts);
    }

    @Test
    void a_text_with_any_break_of_lines_is_read_again_as_it_was() {
        for (String text : List.of("a\u0085b", "\u0085", "a\u2028\nb", "\u2029 c", "a\rb", " \n")) {
            JsonNode tree = Json.object().put("text", text).put(text, "key");
            assertThat(Yaml.parseAll(Yaml.format(tree))).isEqualTo(List.of(tree));
        }
    }
}
