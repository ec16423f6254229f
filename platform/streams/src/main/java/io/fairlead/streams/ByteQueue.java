package io.fairlead.streams;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Bytes from one thread to another, at most [#SIZE] of them on the way.
///
/// A queue begins without memory and takes it as bytes wait in it. Queues of one connection share a [Budget]: where it
/// is
/// used up, a queue stays small, and so a client that opens many streams and fills them all takes no more than that.
/// Unlike Java's piped streams it neither polls nor cares which threads use it.
final class ByteQueue {
    static final int SIZE = 64 * 1024;
    static final int SMALLEST = 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Budget budget;
    private byte[] ring = new byte[0];
    private int first;
    private int held;
    private boolean ended; // nothing more is written
    private boolean unread; // the reader reads no more

    /// How many bytes queues may hold together, beyond [#SMALLEST] each.
    static final class Budget {
        private final AtomicInteger left;

        Budget(int bytes) {
            this.left = new AtomicInteger(bytes);
        }

        private boolean take(int bytes) {
            return left.getAndUpdate(now -> now >= bytes ? now - bytes : now) >= bytes;
        }

        private void giveBack(int bytes) {
            left.addAndGet(bytes);
        }
    }

    ByteQueue() {
        this(new Budget(SIZE));
    }

    ByteQueue(Budget budget) {
        this.budget = budget;
    }

    InputStream input() {
        return new Input();
    }

    OutputStream output() {
        return new Output();
    }

    /// What was written can still be read; then comes the end.
    void end() {
        set(() -> ended = true);
    }

    /// What is written from now on is thrown away.
    void abandon() {
        set(() -> {
            unread = true;
            held = 0;
            budget.giveBack(Math.max(0, ring.length - SMALLEST));
            ring = new byte[0];
        });
    }

    private void set(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private int read(byte[] into, int offset, int length) throws IOException {
        lock.lock();
        try {
            awaitWhile(() -> held == 0 && !ended && !unread);
            if (held == 0) {
                return -1;
            }
            int count = Math.min(Math.min(length, held), ring.length - first);
            System.arraycopy(ring, first, into, offset, count);
            first = (first + count) % ring.length;
            held -= count;
            changed.signalAll();
            return count;
        } finally {
            lock.unlock();
        }
    }

    private void write(byte[] from, int offset, int length) throws IOException {
        lock.lock();
        try {
            for (int done = 0; done < length && !unread; ) {
                awaitWhile(() -> held == ring.length && !unread && !grow());
                done += put(from, offset + done, length - done);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Makes room for as many bytes again, if there may be more.
    private boolean grow() {
        int size = Math.max(SMALLEST, Math.min(SIZE, 2 * ring.length));
        boolean allowed = ring.length == 0 || (size > ring.length && budget.take(size - ring.length));
        if (allowed) {
            byte[] larger = new byte[size];
            for (int i = 0; i < held; i++) {
                larger[i] = ring[(first + i) % ring.length];
            }
            ring = larger;
            first = 0;
        }
        return allowed;
    }

    private int put(byte[] from, int offset, int length) {
        if (unread) {
            return length;
        }
        int at = (first + held) % ring.length;
        int count = Math.min(Math.min(length, ring.length - held), ring.length - at);
        System.arraycopy(from, offset, ring, at, count);
        held += count;
        changed.signalAll();
        return count;
    }

    private void awaitWhile(BooleanSupplier condition) throws InterruptedIOException {
        try {
            while (condition.getAsBoolean()) {
                changed.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return length == 0 ? 0 : ByteQueue.this.read(into, offset, length);
        }

        @Override
        public int available() {
            lock.lock();
            try {
                return held;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            abandon();
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            ByteQueue.this.write(from, offset, length);
        }

        @Override
        public void close() {
            end();
        }
    }
}
