package io.fairlead.proxy;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;

/// `/healthz` and `/livez`: 200 while the kernel follows the cluster, 503 while it does not.
final class ProbePage implements ProxyServer.Page {
    private final Health health;
    private final InstantSource clock;
    private final Counter answers;

    ProbePage(Health health, InstantSource clock, Counter answers) {
        this.health = health;
        this.clock = clock;
        this.answers = answers;
    }

    /// The counter of the answers of one probe, under the name that kube-proxy gives it.
    static Counter answers(String probe, PrometheusRegistry registry) {
        return Counter.builder()
                .name("kubeproxy_proxy_%s_total".formatted(probe))
                .help("How often /%s was answered, by status code.".formatted(probe))
                .labelNames("code")
                .register(registry);
    }

    @Override
    public ProxyServer.Answer answer(String accept) {
        Health.Report report = health.report(clock.instant());
        int code = report.healthy() ? 200 : 503;
        answers.labelValues(Integer.toString(code)).inc();
        return new ProxyServer.Answer(code, "application/json", report.json().getBytes(StandardCharsets.UTF_8));
    }
}
