package io.fairlead.sync;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// `/healthz`, `/livez` and `/readyz`: 200 while the kernel follows the cluster, 503 while it does not.
///
/// `/healthz` is for load balancers: it is also 503 on a node that is about to go. `/livez` is for what restarts
/// proxies: it is also 503 while a task failed and waits to begin again, and names it; the kernel leads connections all
/// the same. `/readyz` is 503 where one of both is.
final class ProbePage implements ProxyServer.Page {
    private final Predicate<Health.Report> isWell;
    private final Source source;
    private final Counter answers;

    /// What is known of the program: how the kernel follows, and which tasks fail now.
    record Source(Health health, Supplier<? extends Set<String>> failing, InstantSource clock) {
        Health.Report report() {
            return health.report(clock.instant()).with(failing.get());
        }
    }

    ProbePage(Predicate<Health.Report> isWell, Source source, Counter answers) {
        this.isWell = isWell;
        this.source = source;
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
        Health.Report report = source.report();
        int code = isWell.test(report) ? 200 : 503;
        answers.labelValues(Integer.toString(code)).inc();
        return ProxyServer.Answer.of(code, "application/json", report.json());
    }
}
