package io.fairlead.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A shell in the folder of the transcripts, with the kubectl of this machine and a namespace of its own.
///
/// @param home where kubectl keeps its configuration and its caches
record Terminal(Path home) {
    private static final Path PRELUDE = Transcript.FOLDER.resolve("prelude.sh");
    private static final Pattern MINOR = Pattern.compile("\"minor\": ?\"(\\d+)");

    /// A new one for `namespace`, which it creates.
    static Terminal open(Path home, Path kubeconfig, String namespace) throws IOException, InterruptedException {
        Files.createDirectories(home);
        Files.copy(kubeconfig, home.resolve("config"));
        Terminal terminal = new Terminal(home);
        String created =
                terminal.run("kubectl create namespace %1$s && kubectl config set-context --current --namespace=%1$s"
                        .formatted(namespace));
        if (created.contains("[exit ")) {
            throw new AssertionError(created);
        }
        return terminal;
    }

    /// The 20 of kubectl 1.20.
    int minorVersion() throws IOException, InterruptedException {
        String version = run("kubectl version --client -o json");
        Matcher minor = MINOR.matcher(version);
        if (!minor.find()) {
            throw new AssertionError("kubectl does not tell its version: " + version);
        }
        return Integer.parseInt(minor.group(1));
    }

    /// What is printed on both streams, and a last line with the exit code if that is not 0.
    String run(String command) throws IOException, InterruptedException {
        Path output = home.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(
                        List.of("bash", "-c", "source \"$0\"; eval \"$1\"", PRELUDE.toString(), command))
                .directory(Transcript.FOLDER.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("HOME", home.toString());
        builder.environment().put("KUBECONFIG", home.resolve("config").toString());
        builder.environment().put("TZ", "UTC");
        builder.environment().put("LC_ALL", "C.UTF-8");
        Process process = builder.start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError(
                    "still running after a minute: %s%n%s".formatted(command, Files.readString(output)));
        }
        String text = Files.readString(output).replace(home.toString(), "~");
        return process.exitValue() == 0 ? text : text + "\n[exit " + process.exitValue() + "]";
    }
}
