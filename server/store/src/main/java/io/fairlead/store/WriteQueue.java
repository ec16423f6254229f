package io.fairlead.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The writes that wait for the writer's next group. Bounded: who finds it full waits for room.
final class WriteQueue {
    private static final int CAPACITY = 1_024;
    private static final int GROUP = 512;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition emptied = lock.newCondition();
    private final Queue<PendingWrite<StoreWrite>> waiting = new ArrayDeque<>(CAPACITY);
    private boolean closed;

    void add(PendingWrite<StoreWrite> write) {
        lock.lock();
        try {
            while (waiting.size() >= CAPACITY && !closed) {
                emptied.awaitUninterruptibly();
            }
            if (closed) {
                throw new StoreException("the store is closed");
            }
            waiting.add(write);
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the next group; empty when the queue is closed and nothing is left in it.
    List<PendingWrite<StoreWrite>> take() throws InterruptedException {
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                filled.await();
            }
            return group();
        } finally {
            lock.unlock();
        }
    }

    /// The same; nothing comes back when no write came for so long.
    Optional<List<PendingWrite<StoreWrite>>> take(Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed && left > 0) {
                left = filled.awaitNanos(left);
            }
            return waiting.isEmpty() && !closed ? Optional.empty() : Optional.of(group());
        } finally {
            lock.unlock();
        }
    }

    private List<PendingWrite<StoreWrite>> group() {
        List<PendingWrite<StoreWrite>> group = new ArrayList<>();
        while (group.size() < GROUP && !waiting.isEmpty()) {
            group.add(waiting.remove());
        }
        emptied.signalAll();
        return group;
    }

    /// Takes no more; what is in it will still be written.
    void close() {
        lock.lock();
        try {
            closed = true;
            filled.signalAll();
            emptied.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
