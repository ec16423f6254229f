package io.fairlead.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TurnsTest {
    private static List<Target> targets(int... weights) {
        return IntStream.range(0, weights.length)
                .mapToObj(i -> new Target(IpPort.parse("10.244.1.%d:80".formatted(i + 1)), true, false, weights[i]))
                .toList();
    }

    private static String turns(int most, int... weights) {
        return Turns.of(targets(weights), most).stream()
                .map(target -> target.address().ip().toString().substring("10.244.1.".length()))
                .collect(Collectors.joining(" "));
    }

    @Test
    void targets_of_one_weight_have_one_turn_each_whatever_the_weight() {
        assertThat(turns(100, 1, 1, 1)).isEqualTo("1 2 3");
        assertThat(turns(100, 300, 300)).isEqualTo("1 2");
    }

    @Test
    void a_heavy_target_has_more_turns_and_not_in_a_row() {
        assertThat(turns(100, 3, 1)).isEqualTo("1 1 2 1");
        assertThat(turns(100, 20, 10, 10)).isEqualTo("1 2 3 1");
    }

    @Test
    void a_target_of_no_weight_has_no_turn() {
        assertThat(turns(100, 0, 1, 2)).isEqualTo("3 2 3");
        assertThat(turns(100, 0, 0)).isEmpty();
    }

    @Test
    void weights_of_many_parts_are_rounded_and_no_endpoint_is_left_out() {
        List<Target> targets = targets(65_535, 1, 32_768);
        assertThat(Turns.shares(targets, 100)).containsExactly(66, 1, 33);
        assertThat(Turns.isExact(targets, 100)).isFalse();
        assertThat(Turns.isExact(targets(2, 4, 0), 100)).isTrue();
    }

    private static Forwarding row(int... weights) {
        return Forwarding.of(
                new Frontend.VirtualAddress(Ip.parse("10.96.0.10"), Protocol.TCP, 80),
                new ServicePortName(new NamespacedName("default", "web"), "http", Protocol.TCP),
                new Verdict.SendTo(targets(weights)),
                Masquerade.NEVER);
    }

    private static List<String> notes(Forwarding... rows) {
        return SharesNotes.of(List.of(rows), 256).stream().map(Note::toString).toList();
    }

    @Test
    void turns_and_weights_need_no_note() {
        Balance wrr = new Balance(new Affinity.None(), Scheduler.WRR);
        assertThat(notes(row(1, 1, 1), row(5, 3), row(3, 1).with(wrr))).isEmpty();
    }

    @Test
    void what_needs_to_look_at_connections_is_noted_and_so_are_rounded_weights() {
        Forwarding least = row(3, 1).with(new Balance(new Affinity.None(), Scheduler.LC));
        Forwarding sticky = row(1).with(new Balance(new Affinity.ClientIp(Duration.ofHours(3)), Scheduler.RR));
        String head = "default/web:http 10.96.0.10:80/tcp: asked ";
        assertThat(notes(least)).containsExactly(head + "the scheduler lc, done at random, by weight");
        assertThat(notes(sticky)).containsExactly(head + "the scheduler rr, done at random, by weight");
        assertThat(notes(row(65_535, 1))).containsExactly(head + "weights of endpoints, done rounded to 256 shares");
    }
}
