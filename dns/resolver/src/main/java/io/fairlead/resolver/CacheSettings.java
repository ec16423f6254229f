package io.fairlead.resolver;

import java.time.Duration;

/// For how long answers from upstream are kept, and how many.
///
/// @param stale for how long after its end an answer is given while upstream is away
/// @param prefetch how often a name must be asked for to be fetched anew before its end; 0 for never
public record CacheSettings(int capacity, Duration longest, Duration longestDenial, Duration stale, int prefetch) {
    public static final CacheSettings DEFAULT =
            new CacheSettings(9984, Duration.ofHours(1), Duration.ofMinutes(30), Duration.ofHours(1), 10);

    public CacheSettings withCapacity(int other) {
        return new CacheSettings(other, longest, longestDenial, stale, prefetch);
    }

    public CacheSettings withStale(Duration other) {
        return new CacheSettings(capacity, longest, longestDenial, other, prefetch);
    }

    public CacheSettings withPrefetch(int other) {
        return new CacheSettings(capacity, longest, longestDenial, stale, other);
    }
}
