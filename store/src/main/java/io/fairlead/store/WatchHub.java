package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Change;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where the open watches meet what is written.
///
/// A watch joins between two groups: the history has all up to the group before, the watch is offered all from the
/// group after. So there is no gap, and no change comes twice.
final class WatchHub {
    private static final Logger LOG = LoggerFactory.getLogger(WatchHub.class);

    private final History history;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<QueuedWatch> watches = new LinkedHashSet<>();
    private Revision published;
    private boolean closed;

    WatchHub(History history, Revision published) {
        this.history = history;
        this.published = published;
    }

    Store.Watch join(String prefix, Revision after) {
        lock.lock();
        try {
            if (closed) {
                throw new StoreException("the store is closed");
            }
            QueuedWatch watch = new QueuedWatch(this, prefix, after);
            watches.add(watch);
            return watch;
        } finally {
            lock.unlock();
        }
    }

    void leave(QueuedWatch watch) {
        lock.lock();
        try {
            watches.remove(watch);
        } finally {
            lock.unlock();
        }
    }

    /// The newest revision that every open watch has been offered.
    Revision published() {
        lock.lock();
        try {
            return published;
        } finally {
            lock.unlock();
        }
    }

    Optional<List<Change>> history(Revision after, Revision upTo) {
        return history.page(after, upTo);
    }

    void publish(List<Change> group) {
        lock.lock();
        try {
            published = group.getLast().revision();
            watches.removeIf(watch -> !offer(watch, group));
        } finally {
            lock.unlock();
        }
    }

    private static boolean offer(QueuedWatch watch, List<Change> group) {
        boolean goesOn = watch.offer(group);
        if (!goesOn) {
            LOG.warn("watch {} state=ended reason=\"the reader is too slow\"", watch);
        }
        return goesOn;
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            watches.forEach(QueuedWatch::end);
            watches.clear();
        } finally {
            lock.unlock();
        }
    }
}
