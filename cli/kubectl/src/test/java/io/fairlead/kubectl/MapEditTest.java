package io.fairlead.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MapEditTest {
    @Test
    void a_word_sets_or_removes() {
        MapEdit edit = MapEdit.parse("label", List.of("app=web=1", "empty=", "tier-"));
        assertThat(edit.applied(Map.of("tier", "db", "other", "x")))
                .isEqualTo(Map.of("app", "web=1", "empty", "", "other", "x"));
        assertThat(edit.patch("labels"))
                .isEqualTo(Json.parse("{\"metadata\":{\"labels\":{\"app\":\"web=1\",\"empty\":\"\",\"tier\":null}}}"));
    }

    @Test
    void the_same_value_is_no_clash() {
        MapEdit edit = MapEdit.parse("label", List.of("a=1", "b=2"));
        assertThat(edit.clashes(Map.of("a", "1", "b", "3"))).containsExactly("'b' already has a value (3)");
    }

    @Test
    void what_is_no_change_is_refused() {
        for (List<String> words : List.of(List.of("=x"), List.of("-"), List.of("a=1", "b"), List.of("a=1", "a-"))) {
            assertThatThrownBy(() -> MapEdit.parse("label", words)).isInstanceOf(CommandException.class);
        }
    }
}
