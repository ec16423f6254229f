package io.fairlead.objects;

import io.fairlead.api.Revision;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// How far a reader of the store is, for the threads that wait until it is further.
///
/// Each is woken once, when what it waits for is there: many writers wait at the same time, each for its own write, and
/// to wake all of them for every one would cost more than the writes. Nor has each a timer: nearly all waits are short,
/// and to set a timer and take it back costs two more wake-ups. [#endLongWaits] is the one clock for all.
final class RevisionMark {
    // No record: two who wait for the same are two.
    private static final class Waiter {
        final long wanted;
        final long end;
        final Condition reached;

        Waiter(Revision wanted, Duration patience, Condition reached) {
            this.wanted = wanted.value();
            this.end = System.nanoTime() + patience.toNanos();
            this.reached = reached;
        }

        boolean isOver() {
            return System.nanoTime() - end >= 0;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Waiter> waiters =
            new PriorityQueue<>(Comparator.comparingLong(waiter -> waiter.wanted));
    private volatile Revision revision = Revision.ZERO;

    Revision revision() {
        return revision;
    }

    void advance(Revision to) {
        lock.lock();
        try {
            revision = to;
            while (!waiters.isEmpty() && waiters.element().wanted <= to.value()) {
                waiters.remove().reached.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits until `wanted` is there; false if that takes longer than `patience`, which [#endLongWaits] finds.
    boolean await(Revision wanted, Duration patience) throws InterruptedException {
        if (!wanted.isAfter(revision)) {
            return true;
        }
        lock.lockInterruptibly();
        try {
            Waiter waiter = new Waiter(wanted, patience, lock.newCondition());
            waiters.add(waiter);
            try {
                while (wanted.isAfter(revision) && !waiter.isOver()) {
                    waiter.reached.await();
                }
            } finally {
                waiters.remove(waiter);
            }
            return !wanted.isAfter(revision);
        } finally {
            lock.unlock();
        }
    }

    /// Wakes those whose patience is over. Its owner has to call it again and again.
    void endLongWaits() {
        lock.lock();
        try {
            waiters.stream().filter(Waiter::isOver).forEach(waiter -> waiter.reached.signal());
        } finally {
            lock.unlock();
        }
    }
}
