package io.fairlead.store;

import io.fairlead.api.Revision;
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
    private boolean accepting = true;
    private boolean closed;

    QueuedWatch(WatchHub hub, String prefix, Revision after) {
        this.hub = hub;
        this.prefix = prefix;
        this.after = after;
        this.joinedAt = hub.published();
        this.read = after;
    }

    @Override
    public List<Change> next() throws InterruptedException {
        while (joinedAt.isAfter(read)) {
            Optional<List<Change>> page = isClosed() ? Optional.empty() : hub.history(read, joinedAt);
            if (page.isEmpty()) {
                close();
                return List.of();
            }
            read = page.get().getLast().revision();
            List<Change> wanted = page.get().stream().filter(this::isWanted).toList();
            if (!wanted.isEmpty()) {
                return wanted;
            }
        }
        return live();
    }

    private List<Change> live() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty() && accepting) {
                changed.await();
            }
            List<Change> taken = Collections.unmodifiableList(waiting);
            waiting = new ArrayList<>();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /// Takes what it wants of a group; all or, if there is no room, nothing more from now on. Says if it goes on.
    boolean offer(List<Change> group) {
        List<Change> wanted = group.stream().filter(this::isWanted).toList();
        lock.lock();
        try {
            accepting = accepting && waiting.size() + wanted.size() <= CAPACITY;
            if (accepting) {
                waiting.addAll(wanted);
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
