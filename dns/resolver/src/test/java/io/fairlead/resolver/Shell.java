package io.fairlead.resolver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs the programs of others.
final class Shell {
    private Shell() {}

    /// What a command prints; it ends well, or the test does not.
    static String run(String... command) {
        return run(Arrays.asList(command));
    }

    private static String run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("%s does not end: %s".formatted(command, text));
            }
            if (process.exitValue() != 0) {
                throw new AssertionError("%s ended with %d: %s".formatted(command, process.exitValue(), text));
            }
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The same in a mount namespace of its own, where `/etc/resolv.conf` is this file.
    static String runWith(Path resolvConf, String... command) {
        List<String> all = new ArrayList<>(List.of(
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount --bind \"$0\" \"$(readlink -f /etc/resolv.conf)\" && exec \"$@\"",
                resolvConf.toString()));
        all.addAll(List.of(command));
        return run(all);
    }

    static Path write(Path folder, String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
