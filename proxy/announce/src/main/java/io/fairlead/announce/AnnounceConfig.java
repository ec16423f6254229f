package io.fairlead.announce;

import java.time.Duration;

/// How an announcer is asked to run: `lease` is how long a node may be silent before others take its addresses; it
/// must be the same on all nodes.
public record AnnounceConfig(String node, Duration lease) {
    /// Four heartbeats.
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(4);

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final int HEARTBEATS = 4;

    public AnnounceConfig {
        if (lease.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(
                    "the lease of an announcer must be at least %d s".formatted(SHORTEST.toSeconds()));
        }
    }

    /// How often the node says that it lives.
    Duration period() {
        return lease.dividedBy(HEARTBEATS);
    }
}
