package io.fairlead.kubectl;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The terminal of this process: raw while it is open, so that each key goes where the program is; as before after it.
final class LocalTerminal implements AutoCloseable {
    private static final File DEVICE = new File("/dev/tty");
    private static final int PATIENCE_SECONDS = 5;

    private final String before;

    private LocalTerminal(String before) {
        this.before = before;
    }

    /// One that does nothing where no terminal is wanted.
    static LocalTerminal open(boolean wanted) {
        if (!wanted) {
            return new LocalTerminal("");
        }
        String before = stty("-g").strip();
        if (!before.isEmpty()) {
            stty("raw", "-echo");
        }
        return new LocalTerminal(before);
    }

    /// Its size as the API writes it: `{"Width":80,"Height":24}`; empty where it has none.
    String size() {
        String[] words = before.isEmpty() ? new String[0] : stty("size").strip().split(" ", -1);
        boolean two = words.length == 2 && words[0].matches("[0-9]{1,5}") && words[1].matches("[0-9]{1,5}");
        return two ? "{\"Width\":%s,\"Height\":%s}".formatted(words[1], words[0]) : "";
    }

    @Override
    public void close() {
        if (!before.isEmpty()) {
            stty(before);
        }
    }

    private static String stty(String... words) {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(words));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(DEVICE)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0 ? answer : "";
        } catch (IOException e) {
            return ""; // there is no terminal here
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted", e));
        }
    }
}
