package io.fairlead.resolver;

import io.fairlead.runtime.TaskGroup;
import io.fairlead.zone.Name;
import java.util.concurrent.Semaphore;

/// Runs what has to wait for upstream, so much at once and no more.
final class Slow {
    private final TaskGroup tasks;
    private final Semaphore permits;

    Slow(TaskGroup tasks, int maxConcurrent) {
        this.tasks = tasks;
        this.permits = new Semaphore(maxConcurrent);
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

    /// Fetches a name anew that is asked for often.
    Responder.Refresh refreshing(Resolver resolver) {
        return (Name name, int type) -> start("refresh", () -> resolver.fetch(name, type));
    }
}
