package io.fairlead.containers;

import static io.fairlead.containers.TestPods.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.containers.ContainerRecord.State;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ContainerRecordTest {

    @Test
    void the_delay_doubles_with_each_crash_up_to_five_minutes() {
        ContainerRecord container = ContainerRecord.of("echo");
        long[] seconds = new long[9];
        for (int i = 0; i < seconds.length; i++) {
            container = crash(container, NOW, NOW.plusSeconds(1));
            seconds[i] = container.restartDelay().toSeconds();
        }

        assertThat(seconds).containsExactly(0, 10, 20, 40, 80, 160, 300, 300, 300);
    }

    @Test
    void a_long_life_makes_earlier_crashes_forgotten() {
        ContainerRecord container = crash(ContainerRecord.of("echo"), NOW, NOW);
        container = crash(container, NOW, NOW);

        container = crash(container, NOW, NOW.plus(Duration.ofMinutes(10)));

        assertThat(container.restartDelay()).isZero();
        assertThat(container.restarts()).isEqualTo(2);
    }

    @Test
    void a_start_after_an_end_counts_and_remembers_the_end() {
        ContainerRecord ended = crash(ContainerRecord.of("echo"), NOW, NOW.plusSeconds(1));

        ContainerRecord again = ended.started(new ProcessId(2, 2), NOW.plusSeconds(2));

        assertThat(again.restarts()).isEqualTo(1);
        assertThat(again.before()).isEqualTo(ended.now());
        assertThat(again.isRunning()).isTrue();
    }

    private static ContainerRecord crash(ContainerRecord container, Instant from, Instant to) {
        ContainerRecord running = container.started(new ProcessId(1, 1), from);
        return running.exited((State.Running) running.now(), Ending.of(1), to);
    }
}
