package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Lifetime;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import org.junit.jupiter.api.Test;

/// What a durable backend promises beside [BackendContract]: what is programmed outlives the process.
public interface DurableContract<E extends Entry> extends BackendContract<E> {
    @Test
    default void the_backend_says_that_it_is_durable() {
        try (Machine<E> machine = machine();
                Backend<E> backend = machine.open()) {
            assertThat(backend.abilities().lifetime()).isEqualTo(Lifetime.DURABLE);
        }
    }

    @Test
    default void what_was_applied_stays_when_the_backend_is_closed() {
        try (Machine<E> machine = machine()) {
            try (Backend<E> backend = machine.open()) {
                backend.apply(Patch.between(
                        BackendContract.nothing(), new RandomRows(2).steps(20).program(backend)));
            }
            assertThat(machine.leftovers()).isNotEmpty();
        }
    }

    @Test
    default void a_restarted_backend_goes_on_from_what_it_finds() {
        try (Machine<E> machine = machine()) {
            RandomRows rows = new RandomRows(7);
            Program<E> before;
            try (Backend<E> backend = machine.open()) {
                before = rows.steps(20).program(backend);
                backend.apply(Patch.between(BackendContract.nothing(), before));
            }
            try (Backend<E> restarted = machine.open()) {
                BackendContract.assertSame(restarted.observe(), before);
                Program<E> after = rows.steps(20).program(restarted);
                restarted.apply(Patch.between(restarted.observe(), after));
                BackendContract.assertSame(restarted.observe(), after);
            }
        }
    }
}
