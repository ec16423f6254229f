package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Probe;
import org.junit.jupiter.api.Test;

final class ReadinessTest {
    private final Probe probe = new Probe(new Probe.Action.None(), 0, 1, 10, 2, 3, -1);

    @Test
    void ready_after_as_many_yes_in_a_row_as_the_probe_asks_for() {
        assertThat(after(Readiness.of(false), "y").ready()).isFalse();
        assertThat(after(Readiness.of(false), "yny").ready()).isFalse();
        assertThat(after(Readiness.of(false), "yy").ready()).isTrue();
    }

    @Test
    void not_ready_after_as_many_no_in_a_row() {
        assertThat(after(Readiness.of(true), "nn").ready()).isTrue();
        assertThat(after(Readiness.of(true), "nnynn").ready()).isTrue();
        assertThat(after(Readiness.of(true), "nnn").ready()).isFalse();
    }

    private Readiness after(Readiness readiness, String answers) {
        Readiness result = readiness;
        for (int i = 0; i < answers.length(); i++) {
            result = result.after(answers.charAt(i) == 'y', probe);
        }
        return result;
    }
}
