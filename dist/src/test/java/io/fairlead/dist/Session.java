package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// A program that runs beside the test: what it has printed so far, and a user who types.
final class Session implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Process process;
    private final Path output;

    private Session(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /// Both of its outputs go to one file.
    static Session start(ProcessBuilder builder, Path output) throws IOException {
        return new Session(
                builder.redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start(),
                output);
    }

    String printed() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitPrinted(String pattern) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(printed()).containsPattern(pattern));
    }

    void type(String line) throws IOException {
        OutputStream keyboard = process.getOutputStream();
        keyboard.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
    }

    /// Waits until it ends by itself, and well; gives all that it printed.
    String awaitEnd() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("it ends; it printed: %s", printed())
                .isTrue();
        assertThat(process.exitValue()).as(printed()).isZero();
        return printed();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
