package io.fairlead.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NetworkNamespaceIT {
    /// In a mount namespace of its own whose `/run/netns` is no mount, as on a machine that was just started.
    private static final String FRESH_MACHINE = """
        mount -t tmpfs none /run && mkdir /run/netns && exec "$0" "$@"\
        """;

    @TempDir
    private Path folder;

    @Test
    void a_name_can_be_removed_after_ip_netns_has_made_another() throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        "unshare",
                        "--mount",
                        "--",
                        "sh",
                        "-c",
                        FRESH_MACHINE,
                        ProcessHandle.current().info().command().orElseThrow(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NamespaceMain.class.getName(),
                        "fl-named",
                        "fl-other")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .as(Files.readString(output, StandardCharsets.UTF_8))
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
