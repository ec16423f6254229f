package io.fairlead.sync;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.function.Predicate;

/// `/healthz` and `/livez`: 200 while the kernel follows the cluster, 503 while it does not.
///
/// `/healthz` is for load balancers: it is also 503 on a node that is about to go. `/livez` is for who restarts
/// proxies.
final class ProbePage implements ProxyServer.Page {
    private final Predicate<Health.Report> isWell;
    private final Health health;
    private final InstantSource clock;
    private final Counter answers;

    ProbePage(Predicate<Health.Report> isWell, Health health, InstantSource clock, Counter answers) {
        this.isWell = isWell;
        this.health = health;
        this.clock = clock;
        this.answers = answers;
    }

    /// The counter of the answers of one probe, under the name that kube-proxy gives it.
    static Counter answers(String probe, PrometheusRegistry registry) {
        Counter answers = Counter.builder()
                .name("kubeproxy_proxy_%s_total".formatted(probe))
                .help("How often /%s was answered, by status code.".formatted(probe))
                .labelNames("code")
                .register(registry);
        answers.initLabelValues("200"); // so that zero can be seen
        answers.initLabelValues("503");
        return answers;
    }

    @Override
    public ProxyServer.Answer answer(String accept) {
        Health.Report report = health.report(clock.instant());
        int code = isWell.test(report) ? 200 : 503;
        answers.labelValues(Integer.toString(code)).inc();
        return ProxyServer.Answer.of(code, "application/json", report.json());
    }
}
