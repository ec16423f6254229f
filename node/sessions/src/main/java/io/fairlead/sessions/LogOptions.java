package io.fairlead.sessions;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;

/// Which lines of a log a client wants; -1 stands for no limit.
record LogOptions(
        boolean follow, boolean previous, boolean timestamps, long tailLines, long limitBytes, Instant since) {

    static LogOptions of(Visit visit, InstantSource clock) {
        return new LogOptions(
                visit.flag("follow"),
                visit.flag("previous"),
                visit.flag("timestamps"),
                number(visit, "tailLines"),
                number(visit, "limitBytes"),
                since(visit, clock));
    }

    private static Instant since(Visit visit, InstantSource clock) {
        long seconds = number(visit, "sinceSeconds");
        if (seconds >= 0) {
            return clock.instant().minusSeconds(seconds);
        }
        String time = visit.one("sinceTime");
        try {
            return time.isEmpty() ? Instant.MIN : Instant.parse(time);
        } catch (DateTimeException e) {
            throw ReachException.badRequest("sinceTime: \"%s\" is no RFC 3339 time".formatted(time));
        }
    }

    private static long number(Visit visit, String name) {
        String text = visit.one(name);
        if (text.isEmpty()) {
            return -1;
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw ReachException.badRequest("%s: \"%s\" is no whole number".formatted(name, text));
        }
        return Long.parseLong(text);
    }

    boolean wants(LogLine line) {
        return since.equals(Instant.MIN)
                || line.at().map(at -> !at.isBefore(since)).orElse(true);
    }
}
