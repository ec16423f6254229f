package io.fairlead.objects;

import io.fairlead.api.Revision;
import io.fairlead.store.CompactedException;
import io.fairlead.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The last changes before a state was read, as far as the store still knows them: all of those after `after`.
///
/// With them a watch that began before this server did goes on as if nothing had happened.
record CachePast(List<Store.Change> changes, Revision after) {

    /// The changes before the state as of `revision`, but not more than a cache keeps.
    static CachePast read(Store store, Revision revision) throws InterruptedException {
        Revision from = store.before(revision, KindCache.RECENT);
        try {
            return read(store, from, revision);
        } catch (CompactedException e) {
            return readWhatIsLeft(store, e.compacted(), revision);
        }
    }

    private static CachePast readWhatIsLeft(Store store, Revision from, Revision revision) throws InterruptedException {
        try {
            return from.isAfter(revision) ? nothing(revision) : read(store, from, revision);
        } catch (CompactedException e) {
            return nothing(revision); // the store forgets faster than we read
        }
    }

    private static CachePast nothing(Revision revision) {
        return new CachePast(List.of(), revision);
    }

    private static CachePast read(Store store, Revision from, Revision revision) throws InterruptedException {
        List<Store.Change> changes = new ArrayList<>();
        Revision read = from;
        try (Store.Watch watch = store.watch("", from)) {
            while (revision.isAfter(read)) {
                Optional<Store.Batch> batch = watch.next();
                if (batch.isEmpty()) {
                    return nothing(revision);
                }
                changes.addAll(batch.get().changes());
                read = batch.get().upTo();
            }
        }
        changes.removeIf(change -> change.revision().isAfter(revision));
        return newest(changes, from);
    }

    /// The store may have known no better than to give more.
    private static CachePast newest(List<Store.Change> changes, Revision from) {
        int dropped = changes.size() - KindCache.RECENT;
        return dropped <= 0
                ? new CachePast(changes, from)
                : new CachePast(
                        changes.subList(dropped, changes.size()),
                        changes.get(dropped - 1).revision());
    }
}
