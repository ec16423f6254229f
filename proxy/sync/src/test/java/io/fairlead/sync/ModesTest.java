package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.sync.Mode.Layer;
import io.fairlead.testkit.MemoryBackend;
import io.fairlead.testkit.MemoryKernel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ModesTest {
    private final MemoryKernel one = new MemoryKernel();
    private final MemoryKernel two = new MemoryKernel();
    private final MemoryKernel three = new MemoryKernel();
    private LingeringBackend lingering = new LingeringBackend(three);
    private int refusals;
    private static final Mode BOTH = new Mode(
            "both",
            "both",
            List.of(TestCluster.layer("one"), TestCluster.layer("two")),
            Mode.FailureMetrics.OWN,
            false);
    private final ForwardingTable table = ForwardingTable.of(TestCluster.withPod(1), TestCluster.NODE);

    private Backend<?> open(Layer layer, NodeFacts node) {
        return switch (layer.name()) {
            case "one" -> new MemoryBackend(one);
            case "two" -> new MemoryBackend(two);
            case "lingering" -> lingering;
            default -> {
                refusals++;
                throw new ProxyException("there is no mode " + layer.name());
            }
        };
    }

    private Modes modes(String mode) {
        return new Modes(
                this::open,
                List.of(
                        TestCluster.mode("one"),
                        TestCluster.mode("two"),
                        TestCluster.mode("three"),
                        TestCluster.mode("lingering"),
                        BOTH),
                TestCluster.NODE,
                TestCluster.mode(mode));
    }

    private static Program<?> lowest(LayeredProgram program) {
        return program.layers().getFirst().program();
    }

    @Test
    void a_layer_that_both_modes_have_is_kept_when_the_mode_changes() {
        try (Modes modes = modes("one")) {
            modes.sync(table, Optional.of("one"));
            int applied = one.applied();

            LayeredProgram program = modes.sync(table, Optional.of("both"));

            assertThat(program.layers()).hasSize(2);
            assertThat(two.program().size()).isPositive();
            assertThat(one.applied())
                    .as("nothing is written to the shared layer")
                    .isEqualTo(applied);

            modes.sync(table, Optional.of("one"));
            assertThat(two.program().size()).isZero();
            assertThat(one.program()).isEqualTo(lowest(program));
            assertThat(one.applied()).isEqualTo(applied);
        }
    }

    @Test
    void an_upper_layer_that_fails_leaves_the_lower_one_at_work() {
        try (Modes modes = modes("one")) {
            modes.sync(table, Optional.of("one"));
            two.refuse(Integer.MAX_VALUE);
            modes.sync(table, Optional.of("both"));
            assertThat(modes.current().mode().name()).isEqualTo("one");
            assertThat(one.program().size()).isPositive();
        }
    }

    @Test
    void another_mode_takes_over_and_nothing_of_the_first_is_left() {
        try (Modes modes = modes("one")) {
            modes.sync(table, Optional.of("one"));
            assertThat(one.program().size()).isPositive();

            LayeredProgram program = modes.sync(table, Optional.of("two"));

            assertThat(modes.current().mode().name()).isEqualTo("two");
            assertThat(two.program()).isEqualTo(lowest(program));
            assertThat(one.program().size()).isZero();
        }
    }

    @Test
    void while_another_mode_fails_the_current_one_follows_the_cluster() {
        try (Modes modes = modes("one")) {
            modes.sync(table, Optional.of("one"));
            two.refuse(Integer.MAX_VALUE);
            ForwardingTable newer = ForwardingTable.of(TestCluster.withPod(2), TestCluster.NODE);

            LayeredProgram program = modes.sync(newer, Optional.of("two"));

            assertThat(modes.current().mode().name()).isEqualTo("one");
            assertThat(one.program())
                    .isEqualTo(lowest(program))
                    .isNotEqualTo(TestCluster.program(TestCluster.withPod(1)));
            assertThat(modes.isChangeDue()).as("not at once again").isFalse();

            two.refuse(0);
            await().until(modes::isChangeDue);
            modes.sync(newer, Optional.of("two"));
            assertThat(modes.current().mode().name()).isEqualTo("two");
            assertThat(one.program().size()).isZero();
        }
    }

    @Test
    void what_a_failed_mode_left_half_done_goes_when_the_mode_is_no_longer_wanted() {
        MemoryBackend half = new MemoryBackend(two);
        half.apply(
                Patch.between(Program.of(List.of()), Program.of(half.compiler().foundation(TestCluster.NODE))));
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
            assertThat(modes.current().mode().name()).isEqualTo("one");
        }
    }

    @Test
    void a_layer_that_was_left_stays_until_its_connections_have_ended() {
        LingeringBackend left = new LingeringBackend(three);
        lingering = left;
        try (Modes modes = modes("lingering")) {
            modes.sync(table, Optional.of("lingering"));
            modes.sync(table, Optional.of("one"));
            modes.look();
            modes.clearOthers();
            assertThat(three.program().size()).isPositive();
            assertThat(left.closed).isFalse();
            assertThat(modes.nextLook()).isPresent();

            left.connected = false;
            modes.look();
            assertThat(three.program().size()).isZero();
            assertThat(left.closed).isTrue();
            assertThat(modes.nextLook()).isEmpty();
        }
    }

    @Test
    void a_layer_that_lingers_is_taken_over_when_its_mode_comes_back() {
        LingeringBackend left = new LingeringBackend(three);
        lingering = left;
        try (Modes modes = modes("lingering")) {
            LayeredProgram program = modes.sync(table, Optional.of("lingering"));
            modes.sync(table, Optional.of("one"));
            lingering = new LingeringBackend(three);
            modes.sync(table, Optional.of("lingering"));

            assertThat(left.closed).isTrue();
            assertThat(three.program()).isEqualTo(lowest(program));
            assertThat(modes.nextLook()).isEmpty();
        }
    }

    @Test
    void without_a_named_mode_it_is_the_configured_one_again() {
        try (Modes modes = modes("one")) {
            modes.sync(table, Optional.of("two"));
            modes.sync(table, Optional.empty());
            assertThat(modes.current().mode().name()).isEqualTo("one");
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
            LayeredProgram program = modes.sync(table, Optional.of("three"));
            assertThat(modes.current().mode().name()).isEqualTo("one");
            assertThat(one.program()).isEqualTo(lowest(program));
        }
    }

    @Test
    void what_another_mode_left_is_taken_away() {
        MemoryBackend before = new MemoryBackend(two);
        before.apply(Patch.between(Program.of(List.of()), Program.of(before.compiler(), table)));
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
        before.apply(Patch.between(Program.of(List.of()), Program.of(before.compiler(), table)));
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
            LayeredProgram program = modes.sync(table, Optional.of("one"));
            one.flush();
            modes.current().doubt();
            modes.sync(table, Optional.of("one"));
            assertThat(one.program()).isEqualTo(lowest(program));
        }
    }
}
