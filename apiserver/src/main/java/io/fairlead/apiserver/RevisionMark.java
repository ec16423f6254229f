package io.fairlead.apiserver;

import io.fairlead.api.Revision;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// How far somebody is, for those who wait until he is further.
///
/// Each is woken once, when what it waits for is there: many writers wait at the same time, each for its own write, and
/// to wake all of them for every one would cost more than the writes.
final class RevisionMark {
    // No record: two who wait for the same are two.
    private static final class Waiter {
        final long wanted;
        final Condition reached;

        Waiter(long wanted, Condition reached) {
            this.wanted = wanted;
            this.reached = reached;
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

    /// Waits until `wanted` is there; false if that takes longer than `patience`.
    boolean await(Revision wanted, Duration patience) throws InterruptedException {
        if (!wanted.isAfter(revision)) {
            return true;
        }
        lock.lockInterruptibly();
        try {
            Waiter waiter = new Waiter(wanted.value(), lock.newCondition());
            waiters.add(waiter);
            try {
                long left = patience.toNanos();
                while (wanted.isAfter(revision) && left > 0) {
                    left = waiter.reached.awaitNanos(left);
                }
            } finally {
                waiters.remove(waiter);
            }
            return !wanted.isAfter(revision);
        } finally {
            lock.unlock();
        }
    }
}
