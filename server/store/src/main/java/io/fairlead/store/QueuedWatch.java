package io.fairlead.store;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Batch;
import io.fairlead.store.Store.Change;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A watch: first the history up to where it joined the hub, page by page, then what the hub offers.
///
/// What waits to be read is bounded. A reader that is too slow gets all that waits, and then the end.
final class QueuedWatch implements Store.Watch {
    static final int CAPACITY = 10_000;

    private final WatchHub hub;
    private final String prefix;
    private final Revision after;
    private final Revision joinedAt;
    private Revision read; // touched by the reader only

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private List<Change> waiting = new ArrayList<>();
    private Revision offered;
    private boolean accepting = true;
    private boolean closed;

    QueuedWatch(WatchHub hub, String prefix, Revision after) {
        this.hub = hub;
        this.prefix = prefix;
        this.after = after;
        this.joinedAt = hub.changed();
        this.read = after;
        this.offered = hub.published().isAfter(after) ? hub.published() : after;
    }

    @Override
    public Optional<Batch> next() throws InterruptedException {
        return joinedAt.isAfter(read) ? past() : live();
    }

    private Optional<Batch> past() throws InterruptedException {
        Optional<Batch> page = isClosed() ? Optional.empty() : hub.history(read, joinedAt);
        if (page.isEmpty()) {
            close();
            return page;
        }
        read = page.get().upTo();
        List<Change> wanted =
                page.get().changes().stream().filter(this::isWanted).toList();
        return Optional.of(new Batch(wanted, read));
    }

    private Optional<Batch> live() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!offered.isAfter(read) && accepting) {
                changed.await();
            }
            if (!offered.isAfter(read)) {
                return Optional.empty();
            }
            List<Change> taken = Collections.unmodifiableList(waiting);
            waiting = new ArrayList<>();
            read = offered;
            return Optional.of(new Batch(taken, read));
        } finally {
            lock.unlock();
        }
    }

    /// Takes what it wants of a group; all or, if there is no room, nothing more from now on. Says if it goes on.
    boolean offer(Batch group) {
        List<Change> wanted = group.changes().stream().filter(this::isWanted).toList();
        lock.lock();
        try {
            accepting = accepting && waiting.size() + wanted.size() <= CAPACITY;
            if (accepting) {
                waiting.addAll(wanted);
                offered = group.upTo();
            }
            changed.signalAll();
            return accepting;
        } finally {
            lock.unlock();
        }
    }

    /// A list may be newer than what the hub has published: then the first groups that come are known already.
    private boolean isWanted(Change change) {
        return change.revision().isAfter(after) && change.key().startsWith(prefix);
    }

    /// No change comes any more; those that wait can still be read.
    void end() {
        lock.lock();
        try {
            accepting = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        hub.leave(this);
        lock.lock();
        try {
            closed = true;
            accepting = false;
            offered = Revision.ZERO;
            waiting = new ArrayList<>();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "prefix=%s after=%s".formatted(prefix, after);
    }
}
