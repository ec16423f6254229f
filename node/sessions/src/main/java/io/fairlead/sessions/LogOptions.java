package io.fairlead.sessions;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;

/// Which lines of a log a client wants; -1 stands for no limit.
record LogOptions(
        boolean follow, boolean previous, boolean timestamps, long tailLines, long limitBytes, Instant since) {

    static LogOptions of(SessionRequest request, InstantSource clock) {
        return new LogOptions(
                request.flag("follow"),
                request.flag("previous"),
                request.flag("timestamps"),
                number(request, "tailLines"),
                number(request, "limitBytes"),
                since(request, clock));
    }

    /// A hundred years: a time that is further away is no time that a clock can tell.
    private static final long MOST_SECONDS = 3_155_760_000L;

    private static Instant since(SessionRequest request, InstantSource clock) {
        long seconds = number(request, "sinceSeconds");
        if (seconds > MOST_SECONDS) {
            return Instant.MIN; // from before there were clocks: all of it
        }
        if (seconds >= 0) {
            return clock.instant().minusSeconds(seconds);
        }
        String time = request.one("sinceTime");
        try {
            return time.isEmpty() ? Instant.MIN : Instant.parse(time);
        } catch (DateTimeException e) {
            throw SessionException.badRequest("sinceTime: \"%s\" is no RFC 3339 time".formatted(time));
        }
    }

    private static long number(SessionRequest request, String name) {
        String text = request.one(name);
        if (text.isEmpty()) {
            return -1;
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw SessionException.badRequest("%s: \"%s\" is no whole number".formatted(name, text));
        }
        return Long.parseLong(text);
    }

    boolean wants(LogLine line) {
        return since.equals(Instant.MIN)
                || line.at().map(at -> !at.isBefore(since)).orElse(true);
    }
}
