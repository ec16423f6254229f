package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class ProcessIdTest {

    @Test
    void a_process_is_known_by_its_number_and_its_start() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            ProcessId id = ProcessId.find(process.pid()).orElseThrow();

            assertThat(id.isAlive()).isTrue();
            assertThat(new ProcessId(id.pid(), id.startTicks() + 1).isAlive()).isFalse();
            id.kill();
            process.waitFor();
            assertThat(id.isAlive()).isFalse();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void a_process_of_another_start_is_not_killed() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            ProcessId id = ProcessId.find(process.pid()).orElseThrow();

            new ProcessId(id.pid(), id.startTicks() - 1).kill();

            assertThat(id.isAlive()).isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void the_leader_of_a_session_is_known() throws Exception {
        Process process = new ProcessBuilder("setsid", "sh", "-c", "sleep 60 & echo $!; wait").start();
        try {
            long child = Long.parseLong(process.inputReader().readLine());

            assertThat(new ProcessId(process.pid(), 0).leads(child)).isTrue();
            assertThat(ProcessId.find(ProcessHandle.current().pid())
                            .orElseThrow()
                            .leads(child))
                    .isFalse();
            ProcessId.find(child).orElseThrow().kill();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void an_interrupted_thread_does_not_take_a_living_process_for_a_dead_one() throws IOException {
        ProcessId own = ProcessId.find(ProcessHandle.current().pid()).orElseThrow();

        Thread.currentThread().interrupt();

        assertThat(own.isAlive()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }
}
