package io.fairlead.runtime;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// How long to wait before the next try: twice as long each time, up to a limit, with jitter.
public final class Backoff {
    private final Duration first;
    private final Duration limit;
    private final RandomGenerator random;
    private int failures;

    public Backoff(Duration first, Duration limit, RandomGenerator random) {
        this.first = first;
        this.limit = limit;
        this.random = random;
    }

    /// Between a half and the whole of the step that is due.
    public Duration next() {
        long step = first.toNanos() << Math.min(failures, 30);
        boolean overflow = step >> Math.min(failures, 30) != first.toNanos();
        long capped = overflow ? limit.toNanos() : Math.min(step, limit.toNanos());
        failures++;
        return Duration.ofNanos(capped / 2 + random.nextLong(capped / 2 + 1));
    }

    /// It worked: start small again.
    public void reset() {
        failures = 0;
    }
}
