package io.fairlead.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What went wrong in the tasks of a program: how often, by the names of the tasks, and which of them do not work now.
///
/// A fault is logged with its cause once; the same one again is a line. Of a name such as `pod/default/web` only the
/// first part counts, so that there are few.
public final class TaskFaults {
    /// A task that has run this long after its pause works again.
    private static final Duration SETTLED = Duration.ofSeconds(5);

    private static final int MOST_NAMES = 200;

    private record Fault(long count, long until, String last) {}

    private final LongSupplier nanos;
    private final @Nullable TaskFaults parent;
    private final Map<String, Fault> faults = new ConcurrentHashMap<>();

    TaskFaults(LongSupplier nanos, Optional<TaskFaults> parent) {
        this.nanos = nanos;
        this.parent = parent.orElse(null);
    }

    /// How often the tasks failed, by their names; none that never did.
    public Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        faults.forEach((name, fault) -> counts.put(name, fault.count));
        return counts;
    }

    /// The tasks that wait to begin again, or began again only just now.
    public SortedSet<String> failing() {
        SortedSet<String> failing = new TreeSet<>();
        long now = nanos.getAsLong();
        faults.forEach((name, fault) -> {
            if (fault.until - now > 0) {
                failing.add(name);
            }
        });
        return failing;
    }

    /// Counts and logs a fault that ended no more than one piece of work: one object, one packet, one pod.
    public void ended(String group, String task, Throwable cause) {
        if (note(task, cause, Optional.empty())) {
            log().error("event=task-failed task={}/{} effect=\"it alone ends\"", group, task, cause);
        } else {
            log().warn("event=task-failed-again task={}/{} reason=\"{}\"", group, task, cause.toString());
        }
    }

    /// Counts and logs a task that begins again after `pause`.
    void pausing(String group, String task, Throwable cause, Duration pause) {
        long millis = pause.toMillis();
        if (note(task, cause, Optional.of(pause))) {
            log().error("event=task-failed task={}/{} effect=\"it begins again in {} ms\"", group, task, millis, cause);
        } else {
            log().warn(
                            "event=task-failed-again task={}/{} again-in-ms={} reason=\"{}\"",
                            group,
                            task,
                            millis,
                            cause.toString());
        }
    }

    /// True if the task's last fault was another one.
    private boolean note(String task, Throwable cause, Optional<Duration> pause) {
        if (parent != null) {
            parent.note(task, cause, pause);
        }
        String name = name(task);
        String print = print(cause);
        long now = nanos.getAsLong();
        long until = pause.map(wait -> now + wait.plus(SETTLED).toNanos()).orElse(now);
        boolean[] other = {true};
        faults.compute(name, (_, known) -> {
            other[0] = known == null || !known.last.equals(print);
            return new Fault(known == null ? 1 : known.count + 1, until, print);
        });
        return other[0];
    }

    private String name(String task) {
        int slash = task.indexOf('/');
        String first = slash < 0 ? task : task.substring(0, slash);
        return faults.size() < MOST_NAMES || faults.containsKey(first) ? first : "others";
    }

    /// What two faults of the same kind have in common.
    private static String print(Throwable cause) {
        StackTraceElement[] trace = cause.getStackTrace();
        return cause.getClass().getName() + (trace.length == 0 ? "" : "@" + trace[0]);
    }

    private static Logger log() {
        return LoggerFactory.getLogger(TaskGroup.class);
    }
}
