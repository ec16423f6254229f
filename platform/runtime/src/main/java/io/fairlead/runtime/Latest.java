package io.fairlead.runtime;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A box between two loops in which only the newest value counts.
public final class Latest<T> {
    /// A patience that does not end while the program runs.
    public static final Duration FOR_EVER = Duration.ofDays(10_000);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition offered = lock.newCondition();
    private @Nullable T value;
    private boolean fresh;

    /// Puts a value; one that the taker did not take before is forgotten.
    public void offer(T newer) {
        lock.lock();
        try {
            value = newer;
            fresh = true;
            offered.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Lets the newest value be taken once more, though it was taken already; nothing happens before the first.
    public void again() {
        lock.lock();
        try {
            fresh = value != null;
            offered.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The newest value, without waiting or taking it; nothing before the first.
    public Optional<T> peek() {
        lock.lock();
        try {
            return Optional.ofNullable(value);
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a value that was not taken yet, and takes it.
    public T take() throws InterruptedException {
        lock.lock();
        try {
            while (!fresh || value == null) {
                offered.await();
            }
            fresh = false;
            return value;
        } finally {
            lock.unlock();
        }
    }

    /// Like [#take], but gives up after `patience`.
    public Optional<T> take(Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        lock.lock();
        try {
            while (!fresh) {
                if (left <= 0) {
                    return Optional.empty();
                }
                left = offered.awaitNanos(left);
            }
            fresh = false;
            return Optional.ofNullable(value);
        } finally {
            lock.unlock();
        }
    }
}
