package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

final class ProxyModesTest {
    @Test
    void an_unknown_mode_is_answered_with_those_there_are() {
        assertThatExceptionOfType(ProxyException.class)
                .isThrownBy(() -> ProxyModes.named("carrier-pigeon"))
                .withMessage("there is no proxy mode \"carrier-pigeon\": use one of "
                        + String.join(", ", ProxyModes.names()));
    }

    @Test
    void the_default_mode_is_one_of_them() {
        assertThat(ProxyModes.ALL).contains(ProxyModes.DEFAULT);
    }

    @Test
    void no_two_modes_have_one_name() {
        assertThat(ProxyModes.names()).doesNotHaveDuplicates();
    }
}
