package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.sync.Mode.Layer;
import io.fairlead.testkit.MemoryBackend;
import io.fairlead.testkit.MemoryKernel;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ModeChoiceTest {
    /// A machine whose kernel has `two` and no other.
    private static Backend<?> open(Layer layer, NodeFacts node) {
        if (layer.name().equals("two")) {
            return new MemoryBackend(new MemoryKernel());
        }
        throw new ProxyException("the kernel has no " + layer.name());
    }

    private static ModeChoice choice(String... modes) {
        return ModeChoice.among(
                Stream.of(modes).map(TestCluster::mode).toList(), ModeChoiceTest::open, TestCluster.NODE);
    }

    @Test
    void the_first_choice_needs_no_excuse() {
        assertThat(choice("two", "one"))
                .isEqualTo(new ModeChoice("two", "two is the first choice, and this machine can run it"));
    }

    @Test
    void another_is_chosen_with_the_reason_why_not_the_first() {
        assertThat(choice("one", "two"))
                .isEqualTo(new ModeChoice(
                        "two", "two is the first that this machine can run: one: the kernel has no one"));
    }

    @Test
    void where_none_can_run_the_error_names_every_reason() {
        assertThatExceptionOfType(ProxyException.class)
                .isThrownBy(() -> choice("one", "three"))
                .withMessage("this machine can run no proxy mode: one: the kernel has no one; three: the kernel has no"
                        + " three");
    }
}
