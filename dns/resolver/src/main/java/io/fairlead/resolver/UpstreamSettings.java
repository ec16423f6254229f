package io.fairlead.resolver;

/// How much, and how, is asked upstream.
///
/// @param maxConcurrent how many questions may wait for upstream at once
/// @param perClient how many questions a second of one client may go upstream; 0 for any number
/// @param mixedCase whether the letters of a question are large and small by chance, which a forger has to guess too
public record UpstreamSettings(int maxConcurrent, int perClient, boolean mixedCase) {
    public static final UpstreamSettings DEFAULT = new UpstreamSettings(1000, 1000, false);

    public UpstreamSettings {
        if (maxConcurrent < 1) {
            throw new IllegalArgumentException("max_concurrent must be at least 1, not " + maxConcurrent);
        }
        if (perClient < 0) {
            throw new IllegalArgumentException("a rate cannot be negative: " + perClient);
        }
    }

    public UpstreamSettings withMaxConcurrent(int other) {
        return new UpstreamSettings(other, perClient, mixedCase);
    }

    public UpstreamSettings withPerClient(int other) {
        return new UpstreamSettings(maxConcurrent, other, mixedCase);
    }

    public UpstreamSettings withMixedCase(boolean other) {
        return new UpstreamSettings(maxConcurrent, perClient, other);
    }
}
