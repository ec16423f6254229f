package io.fairlead.dist;

import java.time.Duration;

/// A time from one moment to another, both of [System#nanoTime].
record Span(long from, long to) {
    Span wider(Duration before, Duration after) {
        return new Span(from - before.toNanos(), to + after.toNanos());
    }
}
