package io.fairlead.up;

import io.fairlead.lab.LabException;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.TaskGroup;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Keeps children running: one that ends is started again, a little later each time; one that ends too often is given
/// up. Closing ends them all, and waits for it.
final class Supervisor implements AutoCloseable {
    private static final Duration FIRST_WAIT = Duration.ofMillis(200);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);
    private static final long GRACE_SECONDS = 10;

    private final TaskGroup tasks;
    private final UpConsole console;
    private final Map<String, Long> pids = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable LabException> failure = new AtomicReference<>();

    Supervisor(String name, UpConsole console) {
        this.tasks = new TaskGroup(name);
        this.console = console;
    }

    void keepUp(Child child) {
        tasks.run(child.name(), () -> run(child));
    }

    /// The process of each child, by name; without those that are down at the moment.
    Map<String, Long> pids() {
        return new TreeMap<>(pids);
    }

    /// Throws if a child was given up.
    void check() {
        LabException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    private void run(Child child) throws InterruptedException {
        try {
            child.emptyLog();
            restart(child);
        } catch (RuntimeException e) {
            failure.set(new LabException("%s cannot be started: %s".formatted(child.name(), e.getMessage()), e));
        }
    }

    private void restart(Child child) throws InterruptedException {
        Backoff backoff = new Backoff(FIRST_WAIT, LONGEST_WAIT, new SplittableRandom());
        CrashCount crashes = CrashCount.NONE;
        while (true) {
            int code = runOnce(child);
            crashes = crashes.plus(System.nanoTime());
            if (crashes.isTooMany()) {
                failure.set(givenUp(child, code));
                return;
            }
            Duration wait = backoff.next();
            console.event("%s ended with code %d; it starts again in %s s (log: %s)"
                    .formatted(child.name(), code, UpConsole.seconds(wait), child.log()));
            Thread.sleep(wait);
        }
    }

    private int runOnce(Child child) throws InterruptedException {
        Process process = child.start();
        pids.put(child.name(), process.pid());
        try {
            return process.waitFor();
        } finally {
            end(process);
            pids.remove(child.name());
        }
    }

    /// Asks, then forces; nothing to do for one that has ended.
    private static void end(Process process) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    private static LabException givenUp(Child child, int code) {
        return new LabException(
                "%s ended more than %d times in a minute, the last time with code %d; its log %s ends with:\n%s"
                        .formatted(child.name(), CrashCount.LIMIT, code, child.log(), child.tail()));
    }

    @Override
    public void close() {
        tasks.close();
    }
}
