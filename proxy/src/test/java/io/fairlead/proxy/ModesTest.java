package io.fairlead.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.testkit.MemoryBackend;
import io.fairlead.testkit.MemoryKernel;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ModesTest {
    private final MemoryKernel one = new MemoryKernel();
    private final MemoryKernel two = new MemoryKernel();
    private final ForwardingTable table = ForwardingTable.of(TestCluster.withPod(1), TestCluster.NODE);

    private Backend<?> open(String mode, NodeFacts node) {
        return switch (mode) {
            case "one" -> new MemoryBackend(one);
            case "two" -> new MemoryBackend(two);
            default -> throw new ProxyException("there is no mode " + mode);
        };
    }

    private Modes modes(String mode) {
        return new Modes(this::open, List.of("one", "two"), TestCluster.NODE, mode);
    }

    @Test
    void another_mode_takes_over_and_nothing_of_the_first_is_left() {
        try (Modes modes = modes("one")) {
            modes.sync(table, "one");
            assertThat(one.program().size()).isPositive();

            Program<?> program = modes.sync(table, "two");

            assertThat(modes.current().mode()).isEqualTo("two");
            assertThat(two.program()).isEqualTo(program);
            assertThat(one.program().size()).isZero();
        }
    }

    @Test
    void the_old_mode_stays_until_the_new_one_is_programmed() {
        try (Modes modes = modes("one")) {
            Program<?> program = modes.sync(table, "one");
            two.refuse(1);
            assertThat(catchThrowable(() -> modes.sync(table, "two"))).isInstanceOf(ApplyException.class);
            assertThat(one.program()).isEqualTo(program);
            modes.sync(table, "two");
            assertThat(one.program().size()).isZero();
        }
    }

    @Test
    void a_mode_that_cannot_run_here_changes_nothing() {
        try (Modes modes = modes("one")) {
            modes.sync(table, "one");
            Program<?> program = modes.sync(table, "three");
            assertThat(modes.current().mode()).isEqualTo("one");
            assertThat(one.program()).isEqualTo(program);
        }
    }

    @Test
    void what_another_mode_left_is_taken_away() {
        MemoryBackend before = new MemoryBackend(two);
        before.apply(Patch.between(Program.of(List.of()), Program.of(before, table)));
        try (Modes modes = modes("one")) {
            modes.sync(table, "one");
            modes.clearOthers();
            assertThat(two.program().size()).isZero();
            assertThat(one.program().size()).isPositive();
        }
    }

    @Test
    void what_was_doubted_is_looked_at_and_repaired() {
        try (Modes modes = modes("one")) {
            Program<?> program = modes.sync(table, "one");
            one.flush();
            modes.current().doubt();
            modes.sync(table, "one");
            assertThat(one.program()).isEqualTo(program);
        }
    }
}
