package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Batch;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
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
    private final Condition advanced = lock.newCondition();
    private final Set<QueuedWatch> watches = new LinkedHashSet<>();
    private Revision published;
    private Revision changed; // the last change of what is published
    private boolean closed;

    WatchHub(History history, Revision published) {
        this.history = history;
        this.published = published;
        this.changed = published;
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

    /// The last change that every open watch has been offered, or a later revision.
    Revision changed() {
        lock.lock();
        try {
            return changed;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until `wanted` is published; false if that takes longer than `patience`.
    boolean awaitPublished(Revision wanted, Duration patience) {
        long left = patience.toNanos();
        lock.lock();
        try {
            while (wanted.isAfter(published) && !closed && left > 0) {
                left = advanced.awaitNanos(left);
            }
            return !wanted.isAfter(published);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    Optional<Batch> history(Revision after, Revision upTo) throws InterruptedException {
        return history.page(after, upTo);
    }

    void publish(Batch group) {
        lock.lock();
        try {
            published = group.upTo();
            if (!group.changes().isEmpty()) {
                changed = group.changes().getLast().revision();
            }
            advanced.signalAll();
            watches.removeIf(watch -> !offer(watch, group));
        } finally {
            lock.unlock();
        }
    }

    private static boolean offer(QueuedWatch watch, Batch group) {
        boolean goesOn = watch.offer(group);
        if (!goesOn) {
            LOG.warn("event=watch-ended watch={} reason=\"the reader is too slow\"", watch);
        }
        return goesOn;
    }

    /// Starts anew after a part of what happened was missed: the open watches end, and their readers learn that
    /// there is a gap when they watch again.
    void restart(Revision at) {
        lock.lock();
        try {
            published = at;
            changed = at;
            advanced.signalAll();
            watches.forEach(QueuedWatch::end);
            watches.clear();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            advanced.signalAll();
            watches.forEach(QueuedWatch::end);
            watches.clear();
        } finally {
            lock.unlock();
        }
    }
}
