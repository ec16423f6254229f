package io.fairlead.resolver;

import io.fairlead.api.Snapshot;
import io.fairlead.runtime.Latest;
import io.fairlead.zone.Zone;
import io.fairlead.zone.ZoneSettings;
import org.jspecify.annotations.Nullable;

/// The newest Zone; none before the cluster was listed once.
public final class Zones {
    private final ZoneSettings settings;
    private volatile @Nullable Zone current;

    public Zones(ZoneSettings settings) {
        this.settings = settings;
    }

    public ZoneSettings settings() {
        return settings;
    }

    public @Nullable Zone current() {
        return current;
    }

    /// Follows the cluster until it is interrupted.
    public void follow(Latest<Snapshot> snapshots) throws InterruptedException {
        while (true) {
            show(snapshots.take());
        }
    }

    /// Answers are those of this Snapshot from now on.
    public void show(Snapshot snapshot) {
        Zone before = current;
        current = before == null ? Zone.of(snapshot, settings) : before.at(snapshot);
    }
}
