package io.fairlead.sync;

import io.fairlead.api.Family;
import io.fairlead.api.Kind;
import io.fairlead.api.Snapshot;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/// Numbers about the rounds of the [SyncLoop], under the names and labels that kube-proxy gives them.
///
/// Both families are programmed in one round, so each number stands under both values of `ip_family`.
final class SyncMetrics {
    private static final String PREFIX = "kubeproxy_sync_proxy_rules_";
    static final String FAMILY = "ip_family";

    private final Histogram duration;
    private final Histogram full;
    private final Histogram partial;
    private final Histogram programming;
    private final Gauge lastTimestamp;
    private final Gauge lastQueued;
    private final Gauge entries;
    private final Map<String, Counter> failures = new HashMap<>();
    private final Counter serviceChanges;
    private final Counter endpointChanges;
    private final Gauge servicesPending;
    private final Gauge endpointsPending;

    SyncMetrics(PrometheusRegistry registry) {
        duration = rounds(registry, "sync_proxy_rules", "How long a round took: compile, diff and apply.");
        full = rounds(registry, "sync_full_proxy_rules", "How long a round took that wrote everything.");
        partial = rounds(registry, "sync_partial_proxy_rules", "How long a round took that wrote what changed.");
        programming = Histogram.builder()
                .name("kubeproxy_network_programming_duration_seconds")
                .help("How long it took from the change of a pod until it was programmed here.")
                .labelNames(FAMILY)
                .classicOnly()
                .classicUpperBounds(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300)
                .register(registry);
        lastTimestamp = gauge(registry, PREFIX + "last_timestamp_seconds", "When the last round succeeded.", FAMILY);
        lastQueued = gauge(registry, PREFIX + "last_queued_timestamp_seconds", "When the last round began.", FAMILY);
        entries = gauge(registry, "fairlead_program_entries", "How many entries the proxy owns in the kernel.");
        Stream.concat(
                        Stream.of(Mode.FailureMetrics.OWN),
                        ProxyModes.ALL.stream().map(Mode::failures))
                .distinct()
                .forEach(names -> countFailures(names, registry));
        serviceChanges = counter(registry, PREFIX + "service_changes_total", "How many Services changed.");
        endpointChanges = counter(registry, PREFIX + "endpoint_changes_total", "How many slices changed.");
        servicesPending =
                gauge(registry, PREFIX + "service_changes_pending", "Changed Services that are not programmed yet.");
        endpointsPending =
                gauge(registry, PREFIX + "endpoint_changes_pending", "Changed slices that are not programmed yet.");
    }

    private void countFailures(Mode.FailureMetrics names, PrometheusRegistry registry) {
        String help = "How many rounds the kernel refused%s.";
        failures.put(names.all(), counter(registry, PREFIX + names.all(), help.formatted(""), FAMILY));
        names.partial()
                .ifPresent(name -> failures.put(
                        name,
                        counter(registry, PREFIX + name, help.formatted(" that wrote only what changed"), FAMILY)));
    }

    // From 0.1 ms: a round that changes one endpoint takes less than that.
    private static Histogram rounds(PrometheusRegistry registry, String name, String help) {
        return Histogram.builder()
                .name("kubeproxy_" + name + "_duration_seconds")
                .help(help)
                .labelNames(FAMILY)
                .classicOnly()
                .classicExponentialUpperBounds(0.0001, 2, 18)
                .register(registry);
    }

    private static Gauge gauge(PrometheusRegistry registry, String name, String help, String... labels) {
        return Gauge.builder().name(name).help(help).labelNames(labels).register(registry);
    }

    private static Counter counter(PrometheusRegistry registry, String name, String help, String... labels) {
        Counter counter =
                Counter.builder().name(name).help(help).labelNames(labels).register(registry);
        for (Family family : Family.values()) {
            if (labels.length > 0) {
                counter.initLabelValues(family.toString()); // so that zero can be seen
            }
        }
        return counter;
    }

    /// A round begins that shall bring the kernel from `programmed` to `wanted`.
    void begun(Snapshot programmed, Snapshot wanted, Instant now) {
        for (Family family : Family.values()) {
            lastQueued.labelValues(family.toString()).set(seconds(now));
        }
        servicesPending.set(changes(programmed, wanted, Kind.SERVICE));
        endpointsPending.set(changes(programmed, wanted, Kind.ENDPOINT_SLICE));
    }

    void synced(Duration took, Instant now, int programSize, boolean everything) {
        for (Family family : Family.values()) {
            duration.labelValues(family.toString()).observe(seconds(took));
            (everything ? full : partial).labelValues(family.toString()).observe(seconds(took));
            lastTimestamp.labelValues(family.toString()).set(seconds(now));
        }
        entries.set(programSize);
        serviceChanges.inc(servicesPending.get());
        endpointChanges.inc(endpointsPending.get());
        servicesPending.set(0);
        endpointsPending.set(0);
    }

    void programmed(Duration delay) {
        for (Family family : Family.values()) {
            programming.labelValues(family.toString()).observe(seconds(delay));
        }
    }

    /// `everything` as in [#synced].
    void failed(Mode mode, boolean everything) {
        count(mode.failures().all());
        if (!everything) {
            mode.failures().partial().ifPresent(this::count);
        }
    }

    private void count(String metric) {
        Counter counter = failures.get(metric);
        if (counter != null) {
            for (Family family : Family.values()) {
                counter.labelValues(family.toString()).inc();
            }
        }
    }

    /// What another mode left and could not be taken away: `failures` says how often.
    static void cleanups(PrometheusRegistry registry, LongSupplier failures) {
        CounterWithCallback.builder()
                .name(PREFIX + "nftables_cleanup_failures_total")
                .help("How often the rules that another mode left could not be taken away.")
                .labelNames(FAMILY)
                .callback(counter -> {
                    for (Family family : Family.values()) {
                        counter.call((double) failures.getAsLong(), family.toString());
                    }
                })
                .register(registry);
    }

    private static int changes(Snapshot programmed, Snapshot wanted, Kind kind) {
        int[] count = {0};
        wanted.objects(kind).changedSince(programmed.objects(kind), _ -> count[0]++);
        return count[0];
    }

    private static double seconds(Instant time) {
        return time.toEpochMilli() / 1e3;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
