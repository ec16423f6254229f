package io.fairlead.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.runtime.TaskGroup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogReaderTest {
    private static final LogOptions ALL = new LogOptions(false, false, false, -1, -1, Instant.MIN);

    @TempDir
    private Path folder;

    private Path log = Path.of("");

    @BeforeEach
    void write_three_lines() throws IOException {
        log = folder.resolve("web.0.log");
        append("2026-11-16T04:00:00.000000001Z stdout F one\n");
        append("2026-11-16T04:00:10Z stderr P tw\n2026-11-16T04:00:10Z stderr F o\n");
        append("2026-11-16T04:00:20Z stdout F three\n");
    }

    private void append(String text) throws IOException {
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private String read(LogOptions options) throws IOException, InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new LogReader(log, options, out).copy(() -> true);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_client_sees_the_text_of_the_lines_with_their_pieces_joined() throws Exception {
        assertThat(read(ALL)).isEqualTo("one\ntwo\nthree\n");
    }

    @Test
    void with_timestamps_each_line_begins_with_its_time() throws Exception {
        assertThat(read(new LogOptions(false, false, true, 1, -1, Instant.MIN)))
                .isEqualTo("2026-11-16T04:00:20Z three\n");
    }

    @Test
    void the_tail_is_the_last_lines() throws Exception {
        assertThat(read(new LogOptions(false, false, false, 1, -1, Instant.MIN)))
                .isEqualTo("three\n");
        assertThat(read(new LogOptions(false, false, false, 99, -1, Instant.MIN)))
                .isEqualTo("one\ntwo\nthree\n");
        assertThat(read(new LogOptions(false, false, false, 0, -1, Instant.MIN)))
                .isEmpty();
    }

    @Test
    void the_tail_of_a_log_of_many_blocks_is_found() throws Exception {
        append(("2026-11-16T04:01:00Z stdout F " + "x".repeat(1000) + "\n").repeat(300));
        append("2026-11-16T04:01:01Z stdout F last\n");

        assertThat(read(new LogOptions(false, false, false, 302, -1, Instant.MIN)))
                .startsWith("three\nxxx")
                .endsWith("x\nlast\n");
    }

    @Test
    void since_leaves_out_what_was_before() throws Exception {
        Instant since = Instant.parse("2026-11-16T04:00:15Z");

        assertThat(read(new LogOptions(false, false, false, -1, -1, since))).isEqualTo("three\n");
    }

    @Test
    void a_limit_of_bytes_cuts_a_line() throws Exception {
        assertThat(read(new LogOptions(false, false, false, -1, 6, Instant.MIN)))
                .isEqualTo("one\ntw");
    }

    @Test
    void a_log_is_followed_over_its_rotation_until_the_container_ends() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AtomicBoolean running = new AtomicBoolean(true);
        LogOptions follow = new LogOptions(true, false, false, 1, -1, Instant.MIN);
        try (TaskGroup tasks = new TaskGroup("test")) {
            tasks.run("follow", () -> new LogReader(log, follow, out).copy(running::get));
            await().until(() -> out.toString(StandardCharsets.UTF_8).equals("three\n"));
            append("2026-11-16T04:02:00Z stdout F four\n");
            await().until(() -> out.toString(StandardCharsets.UTF_8).equals("three\nfour\n"));
            append("2026-11-16T04:02:01Z stdout F five\n");
            Files.move(log, folder.resolve("web.0.log.1"));
            append("2026-11-16T04:02:02Z stdout F six\n");
            await().until(() -> out.toString(StandardCharsets.UTF_8).equals("three\nfour\nfive\nsix\n"));
            append("2026-11-16T04:02:03Z stdout F seven\n");
            running.set(false);
            tasks.join();
        }

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("three\nfour\nfive\nsix\nseven\n");
    }

    /// A pod that prints much rotates its log for as long as a client follows it.
    @Test
    void a_log_that_rotates_again_and_again_holds_one_file_open() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LogOptions follow = new LogOptions(true, false, false, 1, -1, Instant.MIN);
        try (TaskGroup tasks = new TaskGroup("test")) {
            tasks.run("follow", () -> new LogReader(log, follow, out).copy(() -> true));
            await().until(() -> out.size() > 0); // it follows the first file
            for (int i = 0; i < 12; i++) {
                String line = "line" + i + "\n";
                Files.move(log, folder.resolve("old" + i));
                append("2026-11-16T04:02:00Z stdout F " + line);
                await().until(() -> out.toString(StandardCharsets.UTF_8).endsWith(line));
            }
            assertThat(openFiles()).isLessThanOrEqualTo(2);
        }
    }

    private long openFiles() throws IOException {
        long open = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path file : files) {
                open += isHere(file) ? 1 : 0;
            }
        }
        return open;
    }

    private boolean isHere(Path file) throws IOException {
        try {
            return Files.readSymbolicLink(file).startsWith(folder.toRealPath());
        } catch (NoSuchFileException closedMeanwhile) {
            return false;
        }
    }
}
