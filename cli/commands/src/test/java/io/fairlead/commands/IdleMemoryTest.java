package io.fairlead.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// An idle program gives back what it does not need: seen in a process with the heap that the launcher gives a server.
final class IdleMemoryTest {
    private static final long SMALL = 100L << 20;
    private static final long LARGE = 190L << 20;

    /// The sizes of the heap that it printed.
    private static List<Long> heapsOf(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC"));
        command.addAll(List.of("-Xms16m", "-Xmx512m", "-XX:MinHeapFreeRatio=10", "-XX:MaxHeapFreeRatio=20"));
        command.addAll(List.of("-XX:-ShrinkHeapInSteps", "-cp", System.getProperty("java.class.path")));
        command.add(IdleMain.class.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).isZero();
            return output.lines().map(Long::valueOf).toList();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void an_idle_program_gives_its_memory_back() throws Exception {
        List<Long> heaps = heapsOf();
        assertThat(heaps.getFirst()).isGreaterThan(LARGE);
        assertThat(heaps.getLast()).isLessThan(SMALL);
    }

    @Test
    void without_it_an_idle_program_keeps_all() throws Exception {
        List<Long> heaps = heapsOf("none");
        assertThat(heaps.getLast()).isGreaterThan(LARGE);
    }
}
