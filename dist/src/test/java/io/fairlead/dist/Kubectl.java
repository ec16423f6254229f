package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// The kubectl of this machine, told which cluster to talk to.
record Kubectl(Path kubeconfig) {

    private record Result(int exit, String output, String errors) {}

    /// What it prints, without its warnings; fails if it does not succeed.
    String run(String line) throws Exception {
        return run(words(line));
    }

    String run(List<String> line) throws Exception {
        Result result = result(line);
        assertThat(result.exit())
                .as("%s: %s%s", line, result.output(), result.errors())
                .isZero();
        return result.output();
    }

    /// Why it is refused; fails if it is not.
    String refusal(String line) throws Exception {
        Result result = result(words(line));
        assertThat(result.exit()).as("%s: %s", line, result.output()).isNotZero();
        return result.errors();
    }

    /// Lets it run beside the test.
    Session start(String line) throws IOException {
        return session(command(words(line)));
    }

    /// Lets it run in a terminal of its own, as it does for people.
    Session startInTerminal(String line) throws IOException {
        String command = String.join(" ", command(words(line)));
        return session(List.of("script", "-qefc", command, "/dev/null"));
    }

    private Session session(List<String> command) throws IOException {
        return Session.start(builder(command), kubeconfig.resolveSibling("session-" + UUID.randomUUID()));
    }

    private static List<String> words(String line) {
        return Arrays.asList(line.split(" ", -1));
    }

    private List<String> command(List<String> line) {
        List<String> command = new ArrayList<>(List.of("kubectl", "--kubeconfig", kubeconfig.toString()));
        command.addAll(line);
        return command;
    }

    private ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("HOME", kubeconfig.resolveSibling("home").toString());
        return builder;
    }

    private Result result(List<String> line) throws Exception {
        Path output = Files.createTempFile(kubeconfig.getParent(), "kubectl", ".out");
        Path errors = Files.createTempFile(kubeconfig.getParent(), "kubectl", ".err");
        Process process = builder(command(line))
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectError(errors.toFile())
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS))
                    .as("%s ends", line)
                    .isTrue();
            return new Result(process.exitValue(), Files.readString(output), Files.readString(errors));
        } finally {
            process.destroyForcibly();
            Files.delete(output);
            Files.delete(errors);
        }
    }
}
