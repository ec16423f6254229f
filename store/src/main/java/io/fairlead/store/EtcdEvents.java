package io.fairlead.store;

import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.WatchResponse;
import io.fairlead.api.Revision;
import io.fairlead.store.Store.Batch;
import io.fairlead.store.Store.Change;
import io.fairlead.store.Store.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What etcd tells in a watch, in the words of the store. Pure.
record EtcdEvents(EtcdKeys keys) {
    /// A part of the history is not there any more.
    static final class GapException extends RuntimeException {
        private final transient Revision compacted;

        private GapException(Revision compacted) {
            super("compacted up to " + compacted, null, false, false);
            this.compacted = compacted;
        }

        Revision compacted() {
            return compacted;
        }
    }

    /// The changes after `after`; up to there, if there are none.
    Batch batch(WatchResponse response, Revision after) {
        if (response.getCompactRevision() > 0) {
            throw new GapException(new Revision(response.getCompactRevision()));
        }
        if (response.getCanceled()) {
            throw new StoreException("etcd refused the watch: " + response.getCancelReason());
        }
        List<Change> changes = new ArrayList<>();
        Revision upTo = after;
        for (Event event : response.getEventsList()) {
            Revision revision = new Revision(event.getKv().getModRevision());
            if (revision.isAfter(after)) {
                change(event, revision).ifPresent(changes::add);
                upTo = revision;
            }
        }
        return new Batch(changes, upTo);
    }

    private Optional<Change> change(Event event, Revision revision) {
        KeyValue value = event.getKv();
        if (!keys.isOurs(value)) {
            return Optional.empty();
        }
        boolean first = event.getType() == Event.EventType.PUT && value.getCreateRevision() == value.getModRevision();
        if (!first && !event.hasPrevKv()) {
            throw new GapException(revision); // compacted while the event was on its way
        }
        Optional<Stored> previous = first ? Optional.empty() : Optional.of(keys.stored(event.getPrevKv()));
        return Optional.of(
                switch (event.getType()) {
                    case PUT -> new Change.Put(keys.stored(value), previous);
                    case DELETE -> new Change.Delete(keys.key(value), revision, previous);
                    case UNRECOGNIZED -> throw new StoreException("etcd told of an event of a type that is not known");
                });
    }
}
