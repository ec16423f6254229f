package io.fairlead.runner;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A pure function from what is to what must be written, cut into objects so that its cost follows the change.
///
/// When nothing is left to write for any object, the cluster is as this controller wants it.
public interface Controller {
    /// For logs and metrics: lower case, with dashes.
    String name();

    /// Which of its objects need a look, because something they depend on differs between the two Snapshots.
    Set<NamespacedName> changed(Snapshot before, Snapshot now);

    /// What must be written so that this object is as it should be; nothing if it is, or if it is gone.
    List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment);

    /// After how long the object needs another look, though nothing changed but the time.
    default Optional<Duration> nextLook(NamespacedName object, Snapshot now, Moment moment) {
        return Optional.empty();
    }
}
