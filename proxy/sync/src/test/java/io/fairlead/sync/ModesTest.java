package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.testkit.MemoryBackend;
import io.fairlead.testkit.MemoryKernel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ModesTest {
    private final MemoryKernel one = new MemoryKernel();
    private final MemoryKernel two = new MemoryKernel();
    private int refusals;
    private final ForwardingTable table = ForwardingTable.of(TestCluster.withPod(1), TestCluster.NODE);

    private Backend<?> open(String mode, NodeFacts node) {
        return switch (mode) {
            case "one" -> new MemoryBackend(one);
            case "two" -> new MemoryBackend(two);
            default -> {
                refusals++;
                throw new ProxyException("there is no mode " + mode);
            }
        };
    }

    private Modes modes(String mode) {
        return new Modes(this::open, List.of("one", "two"), TestCluster.NODE, mode);
    }

    @Test
    void another_mode_takes_over_and_nothing_of_the_first_is_left() {
        try (Modes modes = modes("one")) {
            modes.sync(table, Optional.of("one"));
            assertThat(one.program().size()).isPositive();

            Program<?> program = modes.sync(table, Optional.of("two"));

            assertThat(modes.current().mode()).isEqualTo("two");
            assertThat(two.program()).isEqualTo(program);
            assertThat(one.program().size()).isZero();
        }
    }

    @Test
    void while_another_mode_fails_the_current_one_follows_the_cluster() {
        try (Modes modes = modes("one")) {
            modes.sync(table, Optional.of("one"));
            two.refuse(Integer.MAX_VALUE);
            ForwardingTable newer = ForwardingTable.of(TestCluster.withPod(2), TestCluster.NODE);

            Program<?> program = modes.sync(newer, Optional.of("two"));

            assertThat(modes.current().mode()).isEqualTo("one");
            assertThat(one.program()).isEqualTo(program).isNotEqualTo(TestCluster.program(TestCluster.withPod(1)));
            assertThat(modes.isChangeDue()).as("not at once again").isFalse();

            two.refuse(0);
            await().until(modes::isChangeDue);
            modes.sync(newer, Optional.of("two"));
            assertThat(modes.current().mode()).isEqualTo("two");
            assertThat(one.program().size()).isZero();
        }
    }

    @Test
    void what_a_failed_mode_left_half_done_goes_when_the_mode_is_no_longer_wanted() {
        MemoryBackend half = new MemoryBackend(two);
        half.apply(Patch.between(Program.of(List.of()), Program.of(half.foundation(TestCluster.NODE))));
        try (Modes modes = modes("one")) {
            modes.sync(table, Optional.of("one"));
            two.refuse(2); // what is added, and what is taken away again
            modes.sync(table, Optional.of("two"));
            assertThat(two.program().size()).isPositive();

            modes.sync(table, Optional.of("one"));
            await().untilAsserted(() -> {
                modes.clearOthers();
                assertThat(two.program().size()).isZero();
            });
            assertThat(modes.current().mode()).isEqualTo("one");
        }
    }

    @Test
    void without_a_named_mode_it_is_the_configured_one_again() {
        try (Modes modes = modes("one")) {
            modes.sync(table, Optional.of("two"));
            modes.sync(table, Optional.empty());
            assertThat(modes.current().mode()).isEqualTo("one");
            assertThat(two.program().size()).isZero();
        }
    }

    @Test
    void a_mode_that_could_not_run_is_asked_again_when_it_is_named_again() {
        try (Modes modes = modes("one")) {
            modes.sync(table, Optional.of("three"));
            modes.sync(table, Optional.of("three"));
            assertThat(refusals).as("it is asked once").isEqualTo(1);
            modes.sync(table, Optional.of("one"));
            modes.sync(table, Optional.of("three"));
            assertThat(refusals).isEqualTo(2);
        }
    }

    @Test
    void a_mode_that_cannot_run_here_changes_nothing() {
        try (Modes modes = modes("one")) {
            modes.sync(table, Optional.of("one"));
            Program<?> program = modes.sync(table, Optional.of("three"));
            assertThat(modes.current().mode()).isEqualTo("one");
            assertThat(one.program()).isEqualTo(program);
        }
    }

    @Test
    void what_another_mode_left_is_taken_away() {
        MemoryBackend before = new MemoryBackend(two);
        before.apply(Patch.between(Program.of(List.of()), Program.of(before, table)));
        try (Modes modes = modes("one")) {
            modes.sync(table, Optional.of("one"));
            modes.clearOthers();
            assertThat(two.program().size()).isZero();
            assertThat(one.program().size()).isPositive();
            assertThat(modes.untilRetry()).isEmpty();
        }
    }

    @Test
    void what_another_mode_left_is_looked_for_until_it_is_gone() {
        MemoryBackend before = new MemoryBackend(two);
        before.apply(Patch.between(Program.of(List.of()), Program.of(before, table)));
        try (Modes modes = modes("one")) {
            modes.sync(table, Optional.of("one"));
            two.refuse(1);
            modes.clearOthers();
            assertThat(two.program().size()).isPositive();
            assertThat(modes.cleanupFailures()).isEqualTo(1);
            await().untilAsserted(() -> {
                modes.clearOthers();
                assertThat(two.program().size()).isZero();
            });
        }
    }

    @Test
    void what_was_doubted_is_looked_at_and_repaired() {
        try (Modes modes = modes("one")) {
            Program<?> program = modes.sync(table, Optional.of("one"));
            one.flush();
            modes.current().doubt();
            modes.sync(table, Optional.of("one"));
            assertThat(one.program()).isEqualTo(program);
        }
    }
}
