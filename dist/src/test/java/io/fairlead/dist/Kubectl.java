package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The kubectl of this machine, told which cluster to talk to.
record Kubectl(Path kubeconfig) {

    /// What it prints, without its warnings; fails if it does not succeed.
    String run(String line) throws Exception {
        return run(Arrays.asList(line.split(" ", -1)));
    }

    String run(List<String> line) throws Exception {
        List<String> command = new ArrayList<>(List.of("kubectl", "--kubeconfig", kubeconfig.toString()));
        command.addAll(line);
        Path output = Files.createTempFile(kubeconfig.getParent(), "kubectl", ".out");
        Path errors = Files.createTempFile(kubeconfig.getParent(), "kubectl", ".err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(errors.toFile()).redirectOutput(output.toFile());
        builder.environment().put("HOME", kubeconfig.resolveSibling("home").toString());
        builder.redirectInput(Path.of("/dev/null").toFile());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS))
                    .as("%s ends", line)
                    .isTrue();
            String printed = Files.readString(output);
            assertThat(process.exitValue())
                    .as("%s: %s%s", line, printed, Files.readString(errors))
                    .isZero();
            return printed;
        } finally {
            process.destroyForcibly();
            Files.delete(output);
            Files.delete(errors);
        }
    }
}
