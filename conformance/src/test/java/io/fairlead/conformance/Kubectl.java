package io.fairlead.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The kubectl of this machine, told where the server is.
public record Kubectl(Path kubeconfig) {

    /// How a run ended, with what it printed on both streams.
    public record Result(int exit, String output) {
        /// What it printed; fails if it did not succeed.
        public String ok() {
            if (exit != 0) {
                throw new AssertionError("kubectl ended with %d: %s".formatted(exit, output));
            }
            return output;
        }
    }

    public static Kubectl at(Path kubeconfig) {
        return new Kubectl(kubeconfig);
    }

    public Result run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kubectl", "--kubeconfig", kubeconfig.toString()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile("kubectl", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().put("HOME", kubeconfig.getParent().toString());
            Process process = builder.start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("still running after a minute: " + command);
            }
            return new Result(process.exitValue(), Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }
}
