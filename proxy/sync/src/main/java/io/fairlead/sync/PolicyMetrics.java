package io.fairlead.sync;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Forwarding;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.Frontend;
import io.fairlead.forwarding.Verdict;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;
import java.util.function.Supplier;

/// How many ports of Services this node keeps silent about, because a policy wants an endpoint on this node and the
/// endpoints are elsewhere.
final class PolicyMetrics {
    /// Which of the two policies of a Service.
    enum Policy {
        INTERNAL,
        EXTERNAL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private PolicyMetrics() {}

    /// `table` is what stands in the kernel; it is looked through when a client asks.
    static void register(PrometheusRegistry registry, Supplier<ForwardingTable> table) {
        GaugeWithCallback.builder()
                .name("kubeproxy_sync_proxy_rules_no_local_endpoints_total")
                .help("How many ports of Services have a Local policy and endpoints on other nodes alone.")
                .labelNames("traffic_policy", SyncMetrics.FAMILY)
                .callback(gauge -> {
                    for (Family family : Family.values()) {
                        for (Policy policy : Policy.values()) {
                            gauge.call(
                                    (double) silent(table.get(), policy, family), policy.toString(), family.toString());
                        }
                    }
                })
                .register(registry);
    }

    static long silent(ForwardingTable table, Policy policy, Family family) {
        return table.rows()
                .values()
                .flatMap(rows -> rows.stream()
                        .filter(row -> row.frontend().family() == family
                                && row.verdict() instanceof Verdict.Drop
                                && policy(row) == policy)
                        .map(Forwarding::service)
                        .distinct())
                .count();
    }

    private static Policy policy(Forwarding row) {
        return switch (row.frontend()) {
            case Frontend.VirtualAddress _ -> Policy.INTERNAL;
            case Frontend.ExternalAddress _, Frontend.LoadBalancerAddress _, Frontend.NodePort _ -> Policy.EXTERNAL;
        };
    }
}
