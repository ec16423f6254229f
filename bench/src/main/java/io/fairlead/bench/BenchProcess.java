package io.fairlead.bench;

import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// A process of the distribution in a network namespace, looked at from outside through `/proc`.
final class BenchProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int TICKS_PER_SECOND = 100; // USER_HZ: the same on every Linux

    private final Process process;
    private final Path log;
    private final long started;

    private BenchProcess(Process process, Path log, long started) {
        this.process = process;
        this.log = log;
        this.started = started;
    }

    /// Its output goes to the file `log`.
    static BenchProcess start(NetworkNamespace namespace, Path log, Map<String, String> environment, List<?> command) {
        ProcessBuilder builder = builder(log, command);
        builder.environment().putAll(environment);
        long now = System.nanoTime();
        return new BenchProcess(namespace.start(builder), log, now);
    }

    /// The same in the network namespace of this process.
    static BenchProcess start(Path log, List<?> command) {
        long now = System.nanoTime();
        try {
            return new BenchProcess(builder(log, command).start(), log, now);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ProcessBuilder builder(Path log, List<?> command) {
        ProcessBuilder builder = new ProcessBuilder(
                        command.stream().map(Object::toString).toList())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("FAIRLEAD_BUILT", "1"); // the launcher need not look whether it must build
        return builder;
    }

    /// The moment before it was executed, as [System#nanoTime] tells it.
    long started() {
        return started;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void await(BooleanSupplier condition) throws InterruptedException {
        await(condition, 10);
    }

    /// Looks so often that it adds next to nothing to what is measured.
    void awaitBusily(BooleanSupplier condition) throws InterruptedException {
        await(condition, 1);
    }

    private void await(BooleanSupplier condition, long pauseMillis) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IllegalStateException("a process is not what it should be; its log is " + log);
            }
            Thread.sleep(pauseMillis);
        }
    }

    /// Waits for one that does its work and ends.
    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException("a process did not end well; its log is " + log);
        }
    }

    /// What it has used of the processors until now.
    double cpuMillis() {
        String stat = read("stat");
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]); // utime, stime
        return ticks * 1e3 / TICKS_PER_SECOND;
    }

    /// What of it is in memory, in MB; `VmRSS` now or `VmHWM` at most.
    double megabytes(String field) {
        return read("status")
                        .lines()
                        .filter(line -> line.startsWith(field + ":"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElseThrow()
                / 1024.0;
    }

    private String read(String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
