package io.fairlead.upkeep;

import io.fairlead.api.Kind;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.CacheEvent;
import io.fairlead.objects.ChangeFeed;
import io.fairlead.objects.Dependents;
import io.fairlead.objects.Dependents.Place;
import io.fairlead.objects.ObjectDeletes;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows all kinds, and has those objects looked at whose owners or dependents changed (K29).
///
/// ```
///  changes ─► Dependents (who belongs to whom) ─► places to look at ─► OwnerRules: delete, let go, orphan
/// ```
///
/// Its cost follows the changes: an object is looked at when it changes, when an owner of it goes, or when something
/// that belongs to it goes.
final class GarbageCollector {
    private static final Logger LOG = LoggerFactory.getLogger(GarbageCollector.class);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
    private static final Duration REST = Duration.ofHours(1);

    private final ChangeFeed feed;
    private final Dependents dependents = new Dependents();
    private final OwnerRules rules;
    private final Set<Place> toLookAt = new LinkedHashSet<>();

    GarbageCollector(WatchCache cache, ObjectWrites writes, ObjectDeletes deletes) {
        this.feed = new ChangeFeed(cache, Kind.ALL);
        this.rules = new OwnerRules(cache, dependents, writes, deletes);
    }

    void run() throws InterruptedException {
        Optional<ChangeFeed.Changes> changes = feed.next(REST);
        while (changes.isPresent()) {
            apply(changes.get());
            lookAtAll();
            changes = feed.next(toLookAt.isEmpty() ? REST : LOOK_AGAIN);
        }
    }

    private void apply(ChangeFeed.Changes changes) {
        if (changes.fromScratch()) {
            dependents.clear();
        }
        for (CacheEvent.Seen change : changes.changes()) {
            switch (change.type()) {
                case ADDED, MODIFIED -> changed(change.object());
                case DELETED -> gone(change.object());
            }
        }
    }

    private void changed(ApiObject object) {
        if (dependents.put(object) || OwnerRules.isWaiting(object)) {
            toLookAt.add(Place.of(object));
        }
    }

    /// The objects that belonged to it, and those that waited for it to go.
    private void gone(ApiObject object) {
        dependents.remove(Place.of(object));
        toLookAt.addAll(dependents.of(object.uid()));
        toLookAt.addAll(Dependents.owners(object));
    }

    private void lookAtAll() throws InterruptedException {
        for (Place place : List.copyOf(toLookAt)) {
            try {
                rules.lookAt(place);
                toLookAt.remove(place);
            } catch (StatusException e) {
                // A client changed it at the same time: it is looked at again soon.
                LOG.debug("event=garbage-ignored object={} reason=\"{}\"", place, e.getMessage());
            }
        }
    }
}
