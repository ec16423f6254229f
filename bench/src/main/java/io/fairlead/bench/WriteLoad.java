package io.fairlead.bench;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/// Clients that write as fast as they can, but only in the spells that they are let, and what came of it.
final class WriteLoad implements AutoCloseable {
    static final int CLIENTS = 32;

    private static final long SETTLE_MILLIS = 300;

    /// One client, and its next write.
    interface Client extends AutoCloseable {
        void write(int number) throws IOException;

        @Override
        default void close() throws IOException {}
    }

    interface Clients {
        Client open() throws IOException;
    }

    /// The time on a processor that a server took since it started.
    interface Cpu {
        long nanos();
    }

    /// What there was at one moment, or between two of them.
    private record Count(long nanos, long writes, long serverCpu, long allCpu) {
        static final Count NOTHING = new Count(0, 0, 0, 0);

        Count plus(Count other) {
            return new Count(
                    nanos + other.nanos, writes + other.writes, serverCpu + other.serverCpu, allCpu + other.allCpu);
        }

        Count minus(Count other) {
            return plus(new Count(-other.nanos, -other.writes, -other.serverCpu, -other.allCpu));
        }
    }

    private final Cpu server;
    private final TaskGroup tasks = new TaskGroup("clients");
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicLong done = new AtomicLong();
    private final AtomicInteger ended = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition begins = lock.newCondition();
    private volatile boolean going;
    private Count measured = Count.NOTHING;

    /// Connects the clients; they write nothing yet.
    WriteLoad(Clients clients, Cpu server) throws IOException {
        this.server = server;
        for (int i = 0; i < CLIENTS; i++) {
            Client client = clients.open();
            // Few and long-lived: a thread that blocks in the kernel costs less than one that has to be asked about.
            tasks.runOnPlatformThread("client" + i, () -> write(client));
        }
    }

    private void write(Client client) throws IOException, InterruptedException {
        try (client) {
            while (true) {
                awaitBegin();
                client.write(numbers.incrementAndGet());
                done.incrementAndGet();
            }
        } finally {
            ended.incrementAndGet();
        }
    }

    private void awaitBegin() throws InterruptedException {
        if (going) {
            return;
        }
        lock.lock();
        try {
            while (!going) {
                begins.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Lets them write for so many seconds, of which nothing is counted.
    void warmUp(int seconds) throws InterruptedException {
        spell(seconds);
    }

    /// Lets them write for so many seconds, and counts.
    void measure(int seconds) throws InterruptedException {
        measured = measured.plus(spell(seconds));
    }

    private Count spell(int seconds) throws InterruptedException {
        go(true);
        try {
            Thread.sleep(SETTLE_MILLIS);
            Count before = count();
            Thread.sleep(seconds * 1_000L);
            return count().minus(before);
        } finally {
            go(false);
        }
    }

    private void go(boolean on) {
        lock.lock();
        try {
            going = on;
            begins.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Count count() {
        if (ended.get() > 0) {
            throw new IllegalStateException(ended + " clients could not go on");
        }
        return new Count(System.nanoTime(), done.get(), server.nanos(), allCpu());
    }

    /// The time on a processor of this process, of the server and of etcd, in nanoseconds.
    private static long allCpu() {
        ProcessHandle self = ProcessHandle.current();
        return Stream.concat(Stream.of(self), self.descendants())
                .mapToLong(process ->
                        process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
                .sum();
    }

    double perSecond() {
        return measured.writes / (measured.nanos / 1e9);
    }

    /// Of the server, for one write.
    double serverMicros() {
        return measured.serverCpu / 1e3 / measured.writes;
    }

    /// Of all there is, for one write.
    double allMicros() {
        return measured.allCpu / 1e3 / measured.writes;
    }

    @Override
    public void close() {
        tasks.close();
    }
}
