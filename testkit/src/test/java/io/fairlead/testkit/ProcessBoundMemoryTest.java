package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class ProcessBoundMemoryTest implements ProcessBoundContract<MemoryEntry> {
    @Override
    public Machine<MemoryEntry> machine() {
        return MemoryMachine.of(MemoryBackend::processBound);
    }

    @Test
    void a_backend_that_leaves_its_program_behind_breaks_this_contract() {
        ProcessBoundContract<MemoryEntry> planted = () -> MemoryMachine.of(MemoryBackend::new);
        assertThatThrownBy(planted::the_backend_says_that_it_is_process_bound).isInstanceOf(AssertionError.class);
        assertThatThrownBy(planted::nothing_stays_when_the_backend_is_closed).isInstanceOf(AssertionError.class);
        assertThatThrownBy(planted::a_restarted_backend_finds_nothing_and_programs_everything_anew)
                .isInstanceOf(AssertionError.class);
    }
}
