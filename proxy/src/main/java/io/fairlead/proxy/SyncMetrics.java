package io.fairlead.proxy;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;

/// Numbers about the rounds of the [SyncLoop], under the names that kube-proxy gives them.
///
/// They carry no `ip_family`: both families are programmed in one round.
final class SyncMetrics {
    private static final String PREFIX = "kubeproxy_sync_proxy_rules_";

    private final Histogram duration;
    private final Histogram programming;
    private final Gauge lastTimestamp;
    private final Gauge lastQueued;
    private final Gauge entries;
    private final Counter failures;

    SyncMetrics(PrometheusRegistry registry, String mode) {
        // From 0.1 ms: a round that changes one endpoint takes less than that.
        duration = Histogram.builder()
                .name(PREFIX + "duration_seconds")
                .help("How long a round took: compile, diff and apply.")
                .classicOnly()
                .classicExponentialUpperBounds(0.0001, 2, 18)
                .register(registry);
        programming = Histogram.builder()
                .name("kubeproxy_network_programming_duration_seconds")
                .help("How long it took from the change of a pod until it was programmed here.")
                .classicOnly()
                .classicUpperBounds(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300)
                .register(registry);
        lastTimestamp = gauge(registry, PREFIX + "last_timestamp_seconds", "When the last round succeeded.");
        lastQueued = gauge(registry, PREFIX + "last_queued_timestamp_seconds", "When the last round began.");
        entries = gauge(registry, "fairlead_program_entries", "How many entries the proxy owns in the kernel.");
        failures = Counter.builder()
                .name(PREFIX + mode + "_sync_failures_total")
                .help("How many rounds the kernel refused.")
                .register(registry);
    }

    private static Gauge gauge(PrometheusRegistry registry, String name, String help) {
        return Gauge.builder().name(name).help(help).register(registry);
    }

    void begun(Instant now) {
        lastQueued.set(seconds(now));
    }

    void synced(Instant begun, Instant now, int programSize) {
        duration.observe(seconds(Duration.between(begun, now)));
        lastTimestamp.set(seconds(now));
        entries.set(programSize);
    }

    void programmed(Duration delay) {
        programming.observe(seconds(delay));
    }

    void failed() {
        failures.inc();
    }

    private static double seconds(Instant time) {
        return time.toEpochMilli() / 1e3;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
