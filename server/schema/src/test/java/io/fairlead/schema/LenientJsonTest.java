package io.fairlead.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.ParseException;
import org.junit.jupiter.api.Test;

final class LenientJsonTest {
    @Test
    void a_field_that_comes_again_is_named_and_the_last_one_counts() {
        LenientJson.Parsed parsed = parse("""
                {"spec": {"type": "NodePort", "ports": [{"port": 1}, {"port": 2, "port": 3}], "type": "ClusterIP"}}""");

        assertThat(parsed.duplicates())
                .containsExactly("duplicate field \"spec.ports[1].port\"", "duplicate field \"spec.type\"");
        assertThat(parsed.tree()).hasToString("""
                {"spec":{"type":"ClusterIP","ports":[{"port":1},{"port":3}]}}""");
    }

    @Test
    void equal_names_in_different_objects_are_no_duplicates() {
        assertThat(parse("[{\"a\": {\"a\": 1}}, {\"a\": []}]").duplicates()).isEmpty();
    }

    @Test
    void broken_text_is_refused() {
        assertThatExceptionOfType(ParseException.class).isThrownBy(() -> parse("{\"a\": "));
        assertThatExceptionOfType(ParseException.class).isThrownBy(() -> parse("{} {}"));
        assertThatExceptionOfType(ParseException.class).isThrownBy(() -> parse("[".repeat(100_000)));
    }

    private static LenientJson.Parsed parse(String text) {
        return LenientJson.parse(text.getBytes(UTF_8));
    }
}
