package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Lifetime;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import org.junit.jupiter.api.Test;

/// What a process-bound backend promises beside [BackendContract]: it leads connections itself, so what is
/// programmed ends with it, and no rule is left that leads to a relay that is gone.
public interface ProcessBoundContract<E extends Entry> extends BackendContract<E> {
    @Test
    default void the_backend_says_that_it_is_process_bound() {
        try (Machine<E> machine = machine();
                Backend<E> backend = machine.open()) {
            assertThat(backend.abilities().lifetime()).isEqualTo(Lifetime.PROCESS_BOUND);
        }
    }

    @Test
    default void nothing_stays_when_the_backend_is_closed() {
        try (Machine<E> machine = machine()) {
            try (Backend<E> backend = machine.open()) {
                backend.apply(Patch.between(
                        BackendContract.nothing(), new RandomRows(7).steps(20).program(backend)));
                assertThat(machine.leftovers()).as("while it is open").isNotEmpty();
            }
            assertThat(machine.leftovers()).isEmpty();
        }
    }

    @Test
    default void a_restarted_backend_finds_nothing_and_programs_everything_anew() {
        try (Machine<E> machine = machine()) {
            RandomRows rows = new RandomRows(7);
            try (Backend<E> backend = machine.open()) {
                backend.apply(
                        Patch.between(BackendContract.nothing(), rows.steps(20).program(backend)));
            }
            try (Backend<E> restarted = machine.open()) {
                assertThat(restarted.observe()).isEqualTo(BackendContract.<E>nothing());
                Program<E> wanted = rows.steps(20).program(restarted);
                restarted.apply(Patch.between(restarted.observe(), wanted));
                BackendContract.assertSame(restarted.observe(), wanted);
            }
        }
    }
}
