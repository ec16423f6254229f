package io.fairlead.client;

import io.fairlead.api.Kind;
import java.time.Instant;
import java.util.Map;

/// How fresh the Snapshots of a [Reflector] are: `complete` once every kind was listed; for each kind that is not
/// being watched right now, since when.
public record ReflectorHealth(boolean complete, Map<Kind, Instant> lostSince) {
    public ReflectorHealth {
        lostSince = Map.copyOf(lostSince);
    }

    /// True if every kind is being watched, so that the newest Snapshot is as new as can be.
    public boolean isLive() {
        return complete && lostSince.isEmpty();
    }
}
