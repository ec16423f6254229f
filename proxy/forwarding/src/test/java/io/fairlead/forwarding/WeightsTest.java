package io.fairlead.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import org.junit.jupiter.api.Test;

final class WeightsTest {
    private static Weights of(String annotation) {
        return Weights.of(EndpointSlice.of(Json.parse("""
                {"metadata": {"name": "s", "annotations": {"fairlead.io/weights": "%s"}}}""".formatted(annotation))));
    }

    @Test
    void each_address_has_the_weight_that_stands_behind_it() {
        Weights weights = of("10.244.1.2=3, fd00::7=0");
        assertThat(weights.of(Ip.parse("10.244.1.2"))).isEqualTo(3);
        assertThat(weights.of(Ip.parse("fd00::7"))).isZero();
    }

    @Test
    void an_address_without_a_weight_weighs_one() {
        assertThat(of("10.244.1.2=3").of(Ip.parse("10.244.1.9"))).isEqualTo(1);
        assertThat(of("").of(Ip.parse("10.244.1.9"))).isEqualTo(1);
    }

    @Test
    void what_cannot_be_read_is_left_out() {
        Weights weights = of("10.244.1.2=-1,10.244.1.3=65536,10.244.1.4,=5,x=3,10.244.1.5=99999999999");
        assertThat(weights.byAddress()).isEmpty();
    }
}
