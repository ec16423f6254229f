package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Listing;
import io.fairlead.store.Store.Stored;
import java.util.List;
import java.util.Optional;

/// What readers see of a store: the newest values, the open watches, and how far the history is forgotten. A write gets
/// here when it is durable, and before it is answered.
final class View {
    private final Newest newest;
    private final WatchHub hub;
    private volatile Revision compacted;
    private volatile boolean closed;

    View(Newest newest, History history, Revision compacted) {
        this.newest = newest;
        this.hub = new WatchHub(history, newest.revision());
        this.compacted = compacted;
    }

    Optional<Stored> find(String key) {
        requireOpen();
        return newest.find(key);
    }

    Listing list(String prefix) {
        requireOpen();
        return newest.list(prefix);
    }

    Store.Watch watch(String prefix, Revision after) {
        requireOpen();
        Revision gone = compacted;
        if (gone.isAfter(after)) {
            throw new CompactedException(after, gone);
        }
        return hub.join(prefix, after);
    }

    Revision revision() {
        return newest.revision();
    }

    /// Like [#revision], for callers from outside.
    Revision newest() {
        requireOpen();
        return newest.revision();
    }

    /// Each write takes the next revision.
    static Revision before(Revision revision, long writes) {
        return new Revision(Math.max(0, revision.value() - writes));
    }

    Revision compacted() {
        return compacted;
    }

    Draft draft() {
        return new Draft(newest);
    }

    /// Shows readers durable changes that follow the newest revision, and how far the history is forgotten.
    void publish(List<Store.Change> changes, Revision compactTo) {
        if (compactTo.isAfter(compacted)) {
            compacted = compactTo;
        }
        if (!changes.isEmpty()) {
            newest.apply(changes);
            hub.publish(new Store.Batch(changes, newest.revision()));
        }
    }

    /// A history can be forgotten only as far as it has come.
    void requireWritten(Revision upTo) {
        requireOpen();
        if (upTo.isAfter(revision())) {
            throw new IllegalArgumentException(
                    "cannot compact up to revision %s: the newest is %s".formatted(upTo, revision()));
        }
    }

    void requireOpen() {
        if (closed) {
            throw new StoreException("the store is closed");
        }
    }

    void close() {
        closed = true;
        hub.close();
    }
}
