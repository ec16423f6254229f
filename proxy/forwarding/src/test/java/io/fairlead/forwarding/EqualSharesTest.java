package io.fairlead.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EqualSharesTest {
    private static Forwarding row(int... weights) {
        List<Target> targets = IntStream.range(0, weights.length)
                .mapToObj(i -> new Target(IpPort.parse("10.244.1.%d:80".formatted(i + 2)), true, false, weights[i]))
                .toList();
        return Forwarding.of(
                new Frontend.VirtualAddress(Ip.parse("10.96.0.10"), Protocol.TCP, 80),
                new ServicePortName(new NamespacedName("default", "web"), "http", Protocol.TCP),
                new Verdict.SendTo(targets),
                Masquerade.NEVER);
    }

    @Test
    void what_is_asked_by_default_needs_no_note() {
        assertThat(EqualShares.notes(List.of(row(1, 1, 1), row(5, 5)))).isEmpty();
    }

    @Test
    void a_scheduler_and_weights_are_noted_with_the_row_that_asks() {
        Forwarding asking = row(3, 1).with(new Balance(new Affinity.None(), Scheduler.WRR));
        assertThat(EqualShares.notes(List.of(asking)))
                .extracting(Note::toString)
                .containsExactly(
                        "default/web:http 10.96.0.10:80/tcp: asked the scheduler wrr, done each endpoint gets the same"
                                + " share, at random",
                        "default/web:http 10.96.0.10:80/tcp: asked weights of endpoints, done each endpoint gets the"
                                + " same share, at random");
    }
}
