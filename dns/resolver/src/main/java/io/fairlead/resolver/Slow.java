package io.fairlead.resolver;

import io.fairlead.api.Ip;
import io.fairlead.runtime.TaskGroup;
import java.util.concurrent.Semaphore;

/// Runs what has to wait for upstream, so much at once and no more.
final class Slow {
    private final TaskGroup tasks;
    private final int most;
    private final Semaphore permits;
    private final SourceRates rates;

    Slow(TaskGroup tasks, UpstreamSettings settings) {
        this.tasks = tasks;
        this.most = settings.maxConcurrent();
        this.permits = new Semaphore(most);
        this.rates = new SourceRates(settings.perClient(), System.nanoTime());
    }

    /// Whether the client has not asked too much of upstream already.
    boolean allow(Ip client) {
        return rates.allow(client, System.nanoTime());
    }

    /// Runs the work on a thread of its own; false where there is too much already.
    boolean start(String what, Runnable work) {
        if (!permits.tryAcquire()) {
            return false;
        }
        tasks.runAlone(what, () -> {
            try {
                work.run();
            } finally {
                permits.release();
            }
        });
        return true;
    }

    /// Whether nothing waits any more.
    boolean isIdle() {
        return permits.availablePermits() == most;
    }
}
