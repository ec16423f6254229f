package io.fairlead.resolver;

import io.fairlead.api.Snapshot;
import io.fairlead.zone.Zone;
import io.fairlead.zone.ZoneSettings;
import org.jspecify.annotations.Nullable;

/// The newest Zone; none before the cluster was listed once.
final class Zones {
    private final ZoneSettings settings;
    private volatile @Nullable Zone current;

    Zones(ZoneSettings settings) {
        this.settings = settings;
    }

    ZoneSettings settings() {
        return settings;
    }

    @Nullable
    Zone current() {
        return current;
    }

    /// Answers are those of this Snapshot from now on.
    void show(Snapshot snapshot) {
        Zone before = current;
        current = before == null ? Zone.of(snapshot, settings) : before.at(snapshot);
    }
}
