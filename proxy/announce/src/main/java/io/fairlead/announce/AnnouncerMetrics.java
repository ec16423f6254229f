package io.fairlead.announce;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.Supplier;

/// What an announcer counts.
final class AnnouncerMetrics {
    private final Counter answers;
    private final Counter taken;
    private final Counter conflicts;

    AnnouncerMetrics(PrometheusRegistry registry, Supplier<Announced> state) {
        answers = counter(registry, "fairlead_announcer_answers_total", "Questions of neighbours that were answered");
        taken = counter(registry, "fairlead_announcer_taken_total", "Addresses that this node began to announce");
        conflicts =
                counter(registry, "fairlead_announcer_conflicts_total", "Claims of others to an address of this node");
        GaugeWithCallback.builder()
                .name("fairlead_announced_address")
                .help("1 for each address that this node announces")
                .labelNames("address", "namespace", "name", "link")
                .callback(gauge -> state.get().rows().stream()
                        .filter(Announced.Row::isSpoken)
                        .forEach(row -> gauge.call(
                                1,
                                row.address().toString(),
                                row.service().namespace(),
                                row.service().name(),
                                row.link())))
                .register(registry);
    }

    private static Counter counter(PrometheusRegistry registry, String name, String help) {
        return Counter.builder().name(name).help(help).register(registry);
    }

    void answered() {
        answers.inc();
    }

    void took() {
        taken.inc();
    }

    void conflicted() {
        conflicts.inc();
    }
}
