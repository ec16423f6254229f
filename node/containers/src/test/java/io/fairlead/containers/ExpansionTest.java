package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class ExpansionTest {
    private static final Map<String, String> VARIABLES = Map.of("HOST", "10.0.0.1", "A", "$(HOST)");

    @Test
    void names_in_brackets_stand_for_their_values() {
        assertThat(Expansion.of("http://$(HOST):80/$(HOST)", VARIABLES)).isEqualTo("http://10.0.0.1:80/10.0.0.1");
        assertThat(Expansion.of("$(A)", VARIABLES))
                .as("a value is not read again")
                .isEqualTo("$(HOST)");
    }

    @Test
    void what_is_no_known_name_stays() {
        assertThat(Expansion.of("$(NOBODY) $HOST $$(HOST) $$", VARIABLES)).isEqualTo("$(NOBODY) $HOST $(HOST) $");
    }
}
