package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class MemoryBackendTest implements DurableContract<MemoryEntry> {
    @Override
    public Machine<MemoryEntry> machine() {
        return MemoryMachine.of(MemoryBackend::new);
    }

    @Test
    void a_backend_that_takes_its_program_with_it_breaks_this_contract() {
        DurableContract<MemoryEntry> planted = () -> MemoryMachine.of(MemoryBackend::processBound);
        assertThatThrownBy(planted::the_backend_says_that_it_is_durable).isInstanceOf(AssertionError.class);
        assertThatThrownBy(planted::what_was_applied_stays_when_the_backend_is_closed)
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(planted::a_restarted_backend_goes_on_from_what_it_finds)
                .isInstanceOf(AssertionError.class);
    }
}
