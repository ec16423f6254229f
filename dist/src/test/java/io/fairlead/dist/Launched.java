package io.fairlead.dist;

import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A run of `./fairlead`, as a user starts it; what it prints goes to a file.
final class Launched {
    private static final Path ROOT = Path.of(System.getProperty("fairlead.root"));

    /// How a run ended.
    record Result(int exit, String output) {}

    private final Process process;
    private final Path output;

    private Launched(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static Launched start(Path dir, String... arguments) throws IOException {
        return start(dir, Map.of(), arguments);
    }

    private static Launched start(Path dir, Map<String, String> environment, String... arguments) throws IOException {
        Path output = Files.createTempFile(dir, "run", ".log");
        ProcessBuilder builder = builder(output, arguments);
        builder.environment().putAll(environment);
        return new Launched(builder.start(), output);
    }

    /// Starts it in a network namespace, on a small heap, as `up` does with its nodes.
    static Launched startIn(NetworkNamespace namespace, Path dir, String... arguments) throws IOException {
        Path output = Files.createTempFile(dir, "run", ".log");
        ProcessBuilder builder = builder(output, arguments);
        builder.environment().put("FAIRLEAD_JAVA_OPTS", "-Xms16m -Xmx256m");
        return new Launched(namespace.start(builder), output);
    }

    private static ProcessBuilder builder(Path output, String... arguments) {
        List<String> command = new ArrayList<>(List.of(ROOT.resolve("fairlead").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        // What Maven has just assembled is what is tested; it must not be built again from here.
        builder.environment().put("FAIRLEAD_BUILT", "assembled");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }

    /// Runs a command to its end.
    static Result run(Path dir, String... arguments) throws Exception {
        return start(dir, Map.of("KUBECONFIG", dir.resolve("kubeconfig").toString()), arguments)
                .result();
    }

    Result result() throws Exception {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("still running after a minute:\n" + Files.readString(output));
        }
        return new Result(process.exitValue(), Files.readString(output));
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    long pid() {
        return process.pid();
    }

    void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new AssertionError("ended with %d:\n%s".formatted(process.exitValue(), Files.readString(output)));
        }
    }

    /// As Ctrl-C does; waits for the end.
    Result end() throws Exception {
        process.destroy();
        return result();
    }

    /// `kill -9`.
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
