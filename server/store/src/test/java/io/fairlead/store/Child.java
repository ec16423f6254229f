package io.fairlead.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A JVM of our own that a test may kill. What it prints goes into a file, which outlives it.
final class Child implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Process process;
    private final Path output;

    private Child(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /// Starts `main` with its own temporary directory, `tmp` in `directory`.
    static Child start(Class<?> main, Path directory, String argument, String... more) throws IOException {
        Path output = Files.createTempFile(directory, main.getSimpleName(), ".out");
        Path temporary = Files.createDirectories(directory.resolve("tmp"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // quick to start: it does not live long
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temporary,
                "-classpath",
                System.getProperty("java.class.path"),
                main.getName()));
        command.add(argument);
        command.addAll(Arrays.asList(more));
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new Child(process, output);
    }

    long pid() {
        return process.pid();
    }

    /// The lines it has printed to their end.
    List<String> lines() throws IOException {
        String text = Files.readString(output);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    void awaitLine(String line) {
        await().atMost(PATIENCE).until(() -> lines().contains(line));
    }

    void awaitLines(int count) {
        await().atMost(PATIENCE).until(() -> lines().size() >= count);
    }

    int awaitEnd() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /// Lets it run a while longer, then kills it without a warning.
    void killAfter(Duration longer) throws InterruptedException {
        assertThat(process.waitFor(longer.toMillis(), TimeUnit.MILLISECONDS))
                .as("it ended by itself")
                .isFalse();
        close();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
