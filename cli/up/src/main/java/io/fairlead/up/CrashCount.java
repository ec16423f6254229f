package io.fairlead.up;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// When a program crashed lately. Pure: the caller tells the time.
record CrashCount(List<Long> nanoTimes) {
    static final CrashCount NONE = new CrashCount(List.of());
    static final int LIMIT = 5;
    static final Duration LATELY = Duration.ofMinutes(1);

    CrashCount {
        nanoTimes = List.copyOf(nanoTimes);
    }

    /// With one more crash, without those of long ago.
    CrashCount plus(long nanoTime) {
        Stream<Long> recent = nanoTimes.stream().filter(time -> nanoTime - time < LATELY.toNanos());
        return new CrashCount(Stream.concat(recent, Stream.of(nanoTime)).toList());
    }

    boolean isTooMany() {
        return nanoTimes.size() > LIMIT;
    }
}
