package io.fairlead.sync;

import io.fairlead.runtime.Backoff;
import java.time.Duration;
import java.util.Random;

/// When to try again what failed, for a loop that has other things to do meanwhile.
final class Retry {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final Backoff backoff = new Backoff(FIRST, LONGEST, new Random());
    private boolean waiting;
    private long due;

    /// How long to wait; zero where it is time, or where nothing failed.
    Duration left() {
        return waiting ? Duration.ofNanos(Math.max(0, due - System.nanoTime())) : Duration.ZERO;
    }

    boolean isDue() {
        return left().isZero();
    }

    /// Notes a failure; the answer is the pause before the next try.
    Duration failed() {
        Duration pause = backoff.next();
        waiting = true;
        due = System.nanoTime() + pause.toNanos();
        return pause;
    }

    /// It worked, or is something else now.
    void reset() {
        waiting = false;
        backoff.reset();
    }
}
