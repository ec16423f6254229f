package io.fairlead.runtime;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/// The faults of a program's tasks, as Prometheus reads them.
public final class TaskMetrics {
    private final List<TaskFaults> groups = new CopyOnWriteArrayList<>();

    public TaskMetrics(PrometheusRegistry registry) {
        CounterWithCallback.builder()
                .name("fairlead_task_failures_total")
                .help("How often a task of this program failed and began again, or ended alone, by task.")
                .labelNames("task")
                .callback(counter -> counts().forEach((task, count) -> counter.call(count, task)))
                .register(registry);
        GaugeWithCallback.builder()
                .name("fairlead_task_failing")
                .help("The tasks of this program that do not work now: each 1.")
                .labelNames("task")
                .callback(gauge -> failing().forEach(task -> gauge.call(1, task)))
                .register(registry);
    }

    /// Tells of these tasks, too.
    public void add(TaskFaults faults) {
        groups.add(faults);
    }

    /// The tasks of all groups that do not work now.
    public SortedSet<String> failing() {
        SortedSet<String> failing = new TreeSet<>();
        groups.forEach(group -> failing.addAll(group.failing()));
        return failing;
    }

    private Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        groups.forEach(group -> group.counts().forEach((task, count) -> counts.merge(task, count, Long::sum)));
        return counts;
    }
}
