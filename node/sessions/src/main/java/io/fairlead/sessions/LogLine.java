package io.fairlead.sessions;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/// A line of a container's log: `2026-11-16T03:52:47.123456789Z stdout F text`.
///
/// The format is that of the Container Runtime Interface: time, stream, `F` for a whole line or `P` for a piece of one
/// that goes on, text. A line of another form is all text.
record LogLine(String time, String stream, boolean whole, String text) {

    static LogLine parse(String line) {
        String[] parts = line.split(" ", 4);
        boolean known = parts.length >= 3
                && (parts[1].equals("stdout") || parts[1].equals("stderr"))
                && (parts[2].equals("F") || parts[2].equals("P"));
        return known
                ? new LogLine(parts[0], parts[1], parts[2].equals("F"), parts.length > 3 ? parts[3] : "")
                : new LogLine("", "stdout", true, line);
    }

    Optional<Instant> at() {
        try {
            return time.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(time));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /// As a client sees it.
    String show(boolean timestamps) {
        String stamp = timestamps && !time.isEmpty() ? time + " " : "";
        return stamp + text + (whole ? "\n" : "");
    }
}
