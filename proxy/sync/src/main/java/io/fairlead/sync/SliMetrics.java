package io.fairlead.sync;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// `/metrics/slis`: the probes as metrics, under the names that every component of Kubernetes has for them.
final class SliMetrics {
    private static final String CHECK = "sync";

    private SliMetrics() {}

    /// What one probe says now, and how often it said what, by status code.
    record Probe(BooleanSupplier well, Counter answers) {}

    /// `probes` by their names, `healthz` and `livez`.
    static PrometheusRegistry of(Map<String, Probe> probes) {
        PrometheusRegistry registry = new PrometheusRegistry();
        GaugeWithCallback.builder()
                .name("kubernetes_healthcheck")
                .help("Whether a check passes.")
                .labelNames("name", "type")
                .callback(gauge ->
                        probes.forEach((type, probe) -> gauge.call(probe.well.getAsBoolean() ? 1 : 0, CHECK, type)))
                .register(registry);
        CounterWithCallback.builder()
                .name("kubernetes_healthchecks_total")
                .help("How often a check was answered, by what it said.")
                .labelNames("name", "status", "type")
                .callback(counter -> probes.forEach((type, probe) -> {
                    counter.call(probe.answers.labelValues("200").get(), CHECK, "success", type);
                    counter.call(probe.answers.labelValues("503").get(), CHECK, "error", type);
                }))
                .register(registry);
        return registry;
    }
}
