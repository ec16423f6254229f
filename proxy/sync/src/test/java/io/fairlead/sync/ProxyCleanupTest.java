package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.sync.ProxyCleanup.Sweep;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ProxyCleanupTest {
    @Test
    void what_fails_is_reported_and_does_not_keep_the_others() {
        ProxyCleanup.Report report = ProxyCleanup.removeAll(List.of(
                new Sweep("one", () -> {
                    throw new ApplyException("in use");
                }),
                new Sweep("two", () -> true),
                new Sweep("three", () -> false)));
        assertThat(report.removed()).containsExactly("two");
        assertThat(report.failed()).containsExactly("one: in use");
    }

    @Test
    void who_may_not_change_the_network_is_told_so() {
        assertThat(ProxyCleanup.mayChangeTheNetwork(Stream.of("Name:\tjava", "CapEff:\t0000000000000000")))
                .isFalse();
        assertThat(ProxyCleanup.mayChangeTheNetwork(Stream.of("CapEff:\t0000000000001000")))
                .isTrue();
        assertThat(ProxyCleanup.mayChangeTheNetwork(Stream.of("CapEff:\t000001ffffffffff")))
                .isTrue();
    }
}
