package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What every backend promises, of both families. A room's test implements [DurableContract] or
/// [ProcessBoundContract], and says where it runs.
public interface BackendContract<E extends Entry> {
    /// A machine of its own for one test, with nothing on it: such as a fresh network namespace.
    Machine<E> machine();

    /// Where a backend is opened. Closing it removes all that the test made.
    interface Machine<E extends Entry> extends AutoCloseable {
        /// Opens the backend here; again, as after a restart, once the one before is closed.
        Backend<E> open();

        /// What is left here of the backend's work, as another tool than the backend shows it; empty if nothing.
        String leftovers();

        @Override
        void close();
    }

    @Test
    default void the_machine_supports_the_backend() {
        try (Machine<E> machine = machine();
                Backend<E> backend = machine.open()) {
            assertThat(backend.support()).isEqualTo(new Support.Supported());
        }
    }

    @Test
    default void nothing_is_observed_on_a_fresh_machine() {
        try (Machine<E> machine = machine();
                Backend<E> backend = machine.open()) {
            assertThat(backend.observe()).isEqualTo(nothing());
        }
    }

    @Test
    default void what_was_applied_is_observed() {
        try (Machine<E> machine = machine();
                Backend<E> backend = machine.open()) {
            Program<E> wanted = new RandomRows(1).steps(20).program(backend);
            backend.apply(Patch.between(nothing(), wanted));
            assertSame(backend.observe(), wanted);
        }
    }

    @Test
    default void an_empty_patch_touches_nothing() {
        try (Machine<E> machine = machine();
                Backend<E> backend = machine.open()) {
            Program<E> wanted = new RandomRows(2).steps(20).program(backend);
            backend.apply(Patch.between(nothing(), wanted));
            String before = machine.leftovers();
            backend.apply(Patch.between(wanted, wanted));
            assertThat(machine.leftovers()).isEqualTo(before);
            assertSame(backend.observe(), wanted);
        }
    }

    @Test
    default void an_empty_patch_leaves_a_fresh_machine_as_it_was() {
        try (Machine<E> machine = machine();
                Backend<E> backend = machine.open()) {
            backend.apply(Patch.between(nothing(), nothing()));
            assertThat(backend.observe()).isEqualTo(nothing());
        }
    }

    @Test
    default void a_patch_that_does_not_fit_changes_nothing() {
        try (Machine<E> machine = machine();
                Backend<E> backend = machine.open()) {
            RandomRows rows = new RandomRows(3);
            Program<E> here = rows.steps(20).program(backend);
            Program<E> neverHere = rows.steps(20).program(backend);
            backend.apply(Patch.between(nothing(), here));
            assertThatExceptionOfType(ApplyException.class)
                    .isThrownBy(() -> backend.apply(Patch.between(neverHere, nothing())));
            assertSame(backend.observe(), here);
        }
    }

    @Test
    default void after_a_failure_the_next_round_converges() {
        try (Machine<E> machine = machine();
                Backend<E> backend = machine.open()) {
            RandomRows rows = new RandomRows(4);
            backend.apply(Patch.between(nothing(), rows.steps(20).program(backend)));
            Program<E> neverHere = rows.steps(20).program(backend);
            Program<E> wanted = rows.steps(20).program(backend);
            assertThatExceptionOfType(ApplyException.class)
                    .isThrownBy(() -> backend.apply(Patch.between(neverHere, nothing())));
            backend.apply(Patch.between(backend.observe(), wanted));
            assertSame(backend.observe(), wanted);
        }
    }

    @Test
    default void each_of_many_random_steps_is_observed() {
        try (Machine<E> machine = machine();
                Backend<E> backend = machine.open()) {
            RandomRows rows = new RandomRows(5);
            Program<E> applied = nothing();
            for (int step = 0; step < 200; step++) {
                Program<E> wanted = rows.steps(1).program(backend);
                backend.apply(Patch.between(applied, wanted));
                assertSame(backend.observe(), wanted);
                applied = wanted;
            }
        }
    }

    @Test
    default void the_empty_program_leaves_nothing_behind() {
        try (Machine<E> machine = machine();
                Backend<E> backend = machine.open()) {
            Program<E> wanted = new RandomRows(6).steps(40).program(backend);
            backend.apply(Patch.between(nothing(), wanted));
            backend.apply(Patch.between(wanted, nothing()));
            assertThat(backend.observe()).isEqualTo(nothing());
            assertThat(machine.leftovers()).isEmpty();
        }
    }

    @Test
    default void a_patch_from_the_baseline_leads_to_what_is_wanted() {
        try (Machine<E> machine = machine()) {
            RandomRows rows = new RandomRows(8);
            try (Backend<E> backend = machine.open()) {
                backend.apply(Patch.between(
                        backend.observe(Extent.BASELINE), rows.steps(20).program(backend)));
            }
            try (Backend<E> restarted = machine.open()) {
                Program<E> after = rows.steps(20).program(restarted);
                restarted.apply(Patch.between(restarted.observe(Extent.BASELINE), after));
                assertSame(restarted.observe(), after);
            }
        }
    }

    static <E extends Entry> Program<E> nothing() {
        return Program.of(List.of());
    }

    /// Texts first: a difference in them says more than "not equal".
    static <E extends Entry> void assertSame(Program<E> actual, Program<E> wanted) {
        assertThat(actual.text()).isEqualTo(wanted.text());
        assertThat(actual).isEqualTo(wanted);
    }
}
