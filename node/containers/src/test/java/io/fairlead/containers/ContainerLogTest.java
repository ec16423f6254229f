package io.fairlead.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ContainerLogTest {
    @TempDir
    private Path folder;

    @Test
    void each_line_has_its_time_and_its_stream() throws IOException {
        Path log = folder.resolve("echo.0.log");
        ContainerLog open = ContainerLog.open(log);
        write(ContainerLog.output(log), "one\ntw");
        write(ContainerLog.errors(log), "bad\n");

        open.pump(false);
        write(ContainerLog.output(log), "o\nlast");
        open.pump(false);
        open.finish();

        List<String> lines = Files.readAllLines(log);
        assertThat(lines)
                .allMatch(line ->
                        line.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{9}Z (stdout|stderr) F .*"));
        assertThat(lines.stream().map(line -> line.substring(31)))
                .containsExactly("stdout F one", "stderr F bad", "stdout F two", "stdout F last");
        assertThat(folder.toFile().list()).containsExactly("echo.0.log");
    }

    @Test
    void a_container_that_has_said_nothing_has_a_log_too() {
        Path log = folder.resolve("echo.0.log");

        ContainerLog.open(log);

        assertThat(log).isEmptyFile();
    }

    @Test
    void the_next_agent_goes_on_where_the_last_one_stopped() throws IOException {
        Path log = folder.resolve("echo.0.log");
        write(ContainerLog.output(log), "one\n");
        ContainerLog.open(log).pump(false);

        write(ContainerLog.output(log), "two\n");
        ContainerLog.open(log).pump(false);

        assertThat(Files.readAllLines(log)).hasSize(2).last().asString().endsWith(" stdout F two");
    }

    @Test
    void a_long_line_comes_in_pieces() throws IOException {
        Path log = folder.resolve("echo.0.log");
        write(ContainerLog.output(log), "x".repeat(20_000) + "\n");

        ContainerLog.open(log).pump(false);

        List<String> lines = Files.readAllLines(log);
        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst()).contains(" stdout P x");
        assertThat(lines.getLast()).contains(" stdout F x");
    }

    @Test
    void a_log_that_is_full_is_put_aside_once() throws IOException {
        Path log = folder.resolve("echo.0.log");
        ContainerLog open = ContainerLog.open(log);
        String megabyte = ("x".repeat(1023) + "\n").repeat(1024);
        for (int i = 0; i < 25; i++) {
            write(ContainerLog.output(log), megabyte);
            open.pump(false);
        }

        Path aside = folder.resolve("echo.0.log.1");
        assertThat(Files.size(aside)).isGreaterThan(ContainerLog.LARGEST);
        assertThat(Files.size(log)).isPositive().isLessThan(2 * ContainerLog.LARGEST);
    }

    private static void write(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void a_container_that_prints_much_gives_way_to_others() throws IOException {
        Path log = folder.resolve("echo.0.log");
        ContainerLog open = ContainerLog.open(log);
        write(ContainerLog.output(log), ("x".repeat(999) + "\n").repeat(6_000));
        open.pump(false);
        assertThat(Files.size(log)).isBetween(1L << 20, 5L << 20);
        open.pump(false);
        assertThat(Files.readAllLines(log)).hasSize(6_000);
    }

    @Test
    void a_container_that_cuts_its_own_output_goes_on_at_its_beginning() throws IOException {
        Path log = folder.resolve("echo.0.log");
        ContainerLog open = ContainerLog.open(log);
        write(ContainerLog.output(log), "one two three\n");
        open.pump(false);
        Files.write(ContainerLog.output(log), new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
        open.pump(false);
        write(ContainerLog.output(log), "four\n");
        open.pump(false);
        assertThat(Files.readAllLines(log)).hasSize(2).last().asString().endsWith("stdout F four");
    }
}
