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
            throw new GapException(EtcdRevisions.end(response.getCompactRevision()));
        }
        if (response.getCanceled()) {
            throw new StoreException("etcd refused the watch: " + response.getCancelReason());
        }
        List<Change> changes = new ArrayList<>();
        for (Event event : response.getEventsList()) {
            if (keys.isOurs(event.getKv()) && keys.revision(event.getKv()).isAfter(after)) {
                changes.add(change(event));
            }
        }
        return new Batch(changes, upTo(response, after));
    }

    /// All writes of a transaction come in one answer, in their order. Only one that is too large comes in parts.
    private Revision upTo(WatchResponse response, Revision after) {
        if (response.getEventsCount() == 0) {
            return after;
        }
        KeyValue last = response.getEvents(response.getEventsCount() - 1).getKv();
        Revision upTo = EtcdStream.isPart(response) && keys.isOurs(last)
                ? keys.revision(last)
                : EtcdRevisions.end(last.getModRevision());
        return upTo.isAfter(after) ? upTo : after;
    }

    private Change change(Event event) {
        KeyValue value = event.getKv();
        boolean first = event.getType() == Event.EventType.PUT && value.getCreateRevision() == value.getModRevision();
        if (!first && !event.hasPrevKv()) {
            // compacted while the event was on its way
            throw new GapException(EtcdRevisions.end(value.getModRevision()));
        }
        Optional<Stored> previous = first ? Optional.empty() : Optional.of(keys.stored(event.getPrevKv()));
        return switch (event.getType()) {
            case PUT -> new Change.Put(keys.stored(value), previous);
            case DELETE -> new Change.Delete(keys.key(value), keys.revision(value), previous);
            case UNRECOGNIZED -> throw new StoreException("etcd told of an event of a type that is not known");
        };
    }
}
