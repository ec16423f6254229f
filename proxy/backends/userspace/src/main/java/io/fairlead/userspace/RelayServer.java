package io.fairlead.userspace;

import io.fairlead.runtime.TaskGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The TCP relay: a platform thread a core, all of which accept from the same listeners.
///
/// It works in the network namespace of the thread that starts it.
final class RelayServer implements AutoCloseable {
    private final List<TcpRunner> runners = new ArrayList<>();
    private final TaskGroup tasks = new TaskGroup("relay");
    private final RelayLimits limits;

    private RelayServer(RelayLimits limits) {
        this.limits = limits;
    }

    /// Relays what comes to the listeners, which stay the caller's.
    static RelayServer start(List<Listener> listeners, Routes routes, Preamble preamble, RelayLimits limits) {
        RelayServer server = new RelayServer(limits);
        for (int i = 0; i < limits.threads(); i++) {
            TcpRunner runner = new TcpRunner(listeners, routes, preamble, limits);
            server.runners.add(runner);
            server.tasks.runOnPlatformThread("tcp-" + i, runner::run);
        }
        return server;
    }

    /// How many connections are open.
    int open() {
        return runners.stream().mapToInt(TcpRunner::open).sum();
    }

    /// Accepts no more, and waits until every connection has ended, or the deadline is over: those left are reset.
    void drain(Duration deadline) throws InterruptedException {
        stop(deadline);
        tasks.join();
    }

    private void stop(Duration deadline) {
        long until = System.nanoTime() + deadline.toNanos();
        runners.forEach(runner -> runner.drain(until));
    }

    /// Drains with the deadline of the limits.
    @Override
    public void close() {
        stop(limits.drain());
        boolean interrupted = false;
        while (true) {
            try {
                tasks.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                stop(Duration.ZERO);
            }
        }
        runners.forEach(TcpRunner::close);
        runners.clear();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
