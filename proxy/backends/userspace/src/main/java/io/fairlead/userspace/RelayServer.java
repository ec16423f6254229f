package io.fairlead.userspace;

import io.fairlead.runtime.TaskGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The relay at work: a platform thread a core for TCP, all of which accept from the same listeners, and one for UDP.
///
/// It works in the network namespace of the thread that starts it, and ends with its last connection after it was
/// stopped, or when the deadline for that is over.
final class RelayServer implements AutoCloseable {
    private final List<TcpRunner> runners = new ArrayList<>();
    private final UdpRunner datagrams;
    private final Sockets sockets;
    private final TaskGroup tasks = new TaskGroup("relay");
    private final RelayLimits limits;
    private boolean stopped;
    private volatile boolean over;

    private RelayServer(Sockets sockets, RelayLimits limits) {
        this.sockets = sockets;
        this.limits = limits;
        this.datagrams = new UdpRunner(limits);
    }

    /// Relays what comes to these sockets, which are the relay's from now on.
    static RelayServer start(Sockets sockets, Routes routes, Preamble preamble, RelayLimits limits) {
        RelayServer server = new RelayServer(sockets, limits);
        for (int i = 0; i < limits.threads(); i++) {
            TcpRunner runner = new TcpRunner(sockets.listeners(), routes, preamble, limits);
            server.runners.add(runner);
            server.tasks.keepOnPlatformThread("tcp-" + i, runner::run);
        }
        server.tasks.keepOnPlatformThread("udp", server.datagrams::run);
        return server;
    }

    Sockets sockets() {
        return sockets;
    }

    UdpRunner datagrams() {
        return datagrams;
    }

    /// How many TCP connections are open.
    int open() {
        return runners.stream().mapToInt(TcpRunner::open).sum();
    }

    /// Goes on for a while by itself: accepts for as long as `grace`, and ends with its last connection, or when the
    /// deadline is over: then those left are reset.
    synchronized void stop(Duration grace, Duration deadline) {
        long now = System.nanoTime();
        long until = now + deadline.toNanos();
        runners.forEach(runner -> runner.drain(now + grace.toNanos(), until));
        datagrams.stop(until);
        if (!stopped) {
            stopped = true;
            tasks.run("end", this::end);
        }
    }

    private void end() throws InterruptedException {
        tasks.join();
        synchronized (this) {
            runners.forEach(TcpRunner::close);
            runners.clear();
            datagrams.close();
            sockets.closeListeners();
        }
        over = true;
    }

    /// Whether it was stopped, and its last connection has ended; for any thread.
    boolean isOver() {
        return over;
    }

    /// Accepts no more, and waits until every connection has ended, or the deadline is over.
    void drain(Duration deadline) throws InterruptedException {
        stop(Duration.ZERO, deadline);
        tasks.join();
    }

    /// Drains with the deadline of the limits.
    @Override
    public void close() {
        boolean interrupted = false;
        Duration deadline = limits.drain();
        while (true) {
            try {
                drain(deadline);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                deadline = Duration.ZERO;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
