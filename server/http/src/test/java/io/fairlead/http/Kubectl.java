package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The kubectl of this machine, in a folder of its own, speaking to a server of ours.
record Kubectl(TestServer server, Path dir) {
    /// What came of a command: its exit code, and what it printed.
    record Result(int code, String text) {}

    /// On a build server a missing tool is a failure; elsewhere the rest can be tested without it.
    static void require() {
        boolean installed = Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "kubectl")));
        assumeTrue(installed || "true".equals(System.getenv("CI")), "kubectl is not installed");
    }

    Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("kubectl", "--server", server.url()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(dir.toFile()).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", "/dev/null");
        builder.environment().put("HOME", dir.toString());
        return builder.start();
    }

    Result call(String... arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), text);
    }

    /// What a command printed that has to succeed.
    String run(String... arguments) throws IOException, InterruptedException {
        Result result = call(arguments);
        assertThat(result.code).as(result.text).isZero();
        return result.text;
    }
}
