package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

final class BackendsTest {
    @Test
    void an_unknown_mode_is_answered_with_those_there_are() {
        assertThatExceptionOfType(ProxyException.class)
                .isThrownBy(() -> Backends.open("carrier-pigeon", TestCluster.NODE))
                .withMessage("there is no proxy mode \"carrier-pigeon\": use one of nftables, iptables");
    }

    @Test
    void the_default_mode_is_one_of_them() {
        assertThat(Backends.MODES).contains(ProxyConfig.DEFAULT_MODE);
    }
}
