package io.fairlead.up;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Where `up` tells its user what happens: a line at a time, from any thread.
final class UpConsole {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private final PrintWriter out;
    private final Instant start;

    /// @param start when the user pressed Enter
    UpConsole(PrintWriter out, Instant start) {
        this.out = out;
        this.start = start;
    }

    Duration elapsed() {
        return Duration.between(start, Instant.now());
    }

    /// While starting: with the seconds since the start.
    void step(String line) {
        print("[%5s s] %s".formatted(seconds(elapsed()), line));
    }

    /// While running: with the time of day.
    void event(String line) {
        print(LocalTime.now(ZoneId.systemDefault()).format(TIME) + "  " + line);
    }

    void print(String text) {
        synchronized (out) {
            out.println(text);
            out.flush();
        }
    }

    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f", duration.toMillis() / 1000.0);
    }
}
