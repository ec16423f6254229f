package io.fairlead.client;

import io.fairlead.api.ParseException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Runs a [CredentialPlugin], for a while at most, and reads what it printed.
record PluginRunner(CredentialPlugin plugin, Duration patience) {
    private static final Duration USUAL_PATIENCE = Duration.ofSeconds(60);
    private static final File NOTHING = new File("/dev/null");
    private static final long LOOK_MILLIS = 100;
    private static final long MAX_PRINTED = 1 << 20;
    private static final int SHOWN = 500;

    PluginRunner(CredentialPlugin plugin) {
        this(plugin, USUAL_PATIENCE);
    }

    /// A plugin that fails is a failed request: it may have to wait for a network itself.
    PluginCredential run() throws InterruptedException {
        try {
            // Files for the owner alone, not pipes: what the program leaves running could hold a pipe open for ever.
            Path printed = Files.createTempFile("fairlead-credential", "");
            Path complaints = Files.createTempFile("fairlead-plugin", "");
            try {
                int status = await(start(printed, complaints), printed, complaints);
                if (status != 0) {
                    throw failed("ended with status %d: %s".formatted(status, shown(complaints)), null);
                }
                return PluginCredential.parse(plugin.apiVersion(), Files.readAllBytes(printed));
            } finally {
                Files.deleteIfExists(printed);
                Files.deleteIfExists(complaints);
            }
        } catch (IOException | ParseException e) {
            throw failed(String.valueOf(e.getMessage()), e);
        }
    }

    private Process start(Path printed, Path complaints) throws IOException {
        List<String> words = new ArrayList<>(List.of(plugin.command()));
        words.addAll(plugin.arguments());
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectInput(NOTHING)
                .redirectOutput(printed.toFile())
                .redirectError(complaints.toFile());
        builder.environment().putAll(plugin.environment());
        builder.environment().put("KUBERNETES_EXEC_INFO", plugin.question());
        try {
            return builder.start();
        } catch (IOException e) {
            throw new IOException("cannot be started: %s%s".formatted(e.getMessage(), hint()), e);
        }
    }

    private int await(Process process, Path printed, Path complaints) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (System.nanoTime() > deadline) {
                    throw new IOException("did not end within %d s".formatted(patience.toSeconds()));
                }
                bound(printed, complaints);
            }
            bound(printed, complaints);
            return process.exitValue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void bound(Path printed, Path complaints) throws IOException {
        if (Files.size(printed) > MAX_PRINTED || Files.size(complaints) > MAX_PRINTED) {
            throw new IOException("printed more than %d bytes".formatted(MAX_PRINTED));
        }
    }

    private static String shown(Path complaints) throws IOException {
        String text = new String(Files.readAllBytes(complaints), StandardCharsets.UTF_8).strip();
        return text.length() > SHOWN ? "…" + text.substring(text.length() - SHOWN) : text;
    }

    private String hint() {
        return plugin.hint().isEmpty() ? "" : "; " + plugin.hint().strip();
    }

    private ApiException failed(String why, @Nullable Exception cause) {
        return new ApiException("user.exec: the plugin %s %s".formatted(plugin.command(), why), cause);
    }
}
