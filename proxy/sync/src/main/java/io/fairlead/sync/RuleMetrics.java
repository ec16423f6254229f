package io.fairlead.sync;

import io.fairlead.api.Family;
import io.fairlead.forwarding.ApplyException;
import io.fairlead.iptables.IptablesBackend;
import io.fairlead.iptables.PacketCount;
import io.fairlead.iptables.TableRules;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the mode iptables tells about its rules, under kube-proxy's names; asked for at each scrape, never in a round.
final class RuleMetrics {
    private static final Logger LOG = LoggerFactory.getLogger(RuleMetrics.class);

    private final Supplier<Optional<IptablesBackend>> iptables;

    private RuleMetrics(Supplier<Optional<IptablesBackend>> iptables) {
        this.iptables = iptables;
    }

    /// `iptables` is the backend of that mode, while it is the one that programs the node.
    static void register(PrometheusRegistry registry, Supplier<Optional<IptablesBackend>> iptables) {
        RuleMetrics metrics = new RuleMetrics(iptables);
        metrics.rules(registry, "total", "How many rules of ours a table holds.", TableRules::held);
        metrics.rules(registry, "last", "How many rules the last change wrote.", TableRules::written);
        metrics.packets(
                registry,
                PacketCount.Subject.INVALID_DROPPED,
                "kubeproxy_iptables_ct_state_invalid_dropped_packets_total",
                "How many packets were discarded that connection tracking calls invalid.");
        metrics.packets(
                registry,
                PacketCount.Subject.LOCALHOST_ACCEPTED,
                "kubeproxy_iptables_localhost_nodeports_accepted_packets_total",
                "How many connections came to a node port at 127.0.0.1.");
    }

    private void rules(PrometheusRegistry registry, String suffix, String help, ToLongFunction<TableRules> count) {
        GaugeWithCallback.builder()
                .name("kubeproxy_sync_proxy_rules_iptables_" + suffix)
                .help(help)
                .labelNames("table", SyncMetrics.FAMILY)
                .callback(gauge -> iptables.get()
                        .map(IptablesBackend::rules)
                        .orElse(List.of())
                        .forEach(table -> gauge.call(
                                (double) count.applyAsLong(table),
                                table.table(),
                                table.family().toString())))
                .register(registry);
    }

    private void packets(PrometheusRegistry registry, PacketCount.Subject subject, String name, String help) {
        Map<Family, Rising> sums = new EnumMap<>(Family.class);
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(SyncMetrics.FAMILY)
                .callback(counter -> {
                    synchronized (sums) {
                        read(subject)
                                .forEach(count -> sums.computeIfAbsent(count.family(), _ -> new Rising())
                                        .at(count.packets()));
                        sums.forEach((family, sum) -> counter.call((double) sum.total, family.toString()));
                    }
                })
                .register(registry);
    }

    private List<PacketCount> read(PacketCount.Subject subject) {
        try {
            return iptables.get().map(backend -> backend.packets(subject)).orElse(List.of());
        } catch (ApplyException e) {
            LOG.warn("event=packets-not-read reason=\"{}\"", e.getMessage());
            return List.of();
        }
    }

    /// The sum of a counter that begins anew now and then.
    private static final class Rising {
        private long reading;
        private long total;

        void at(long now) {
            total += now < reading ? now : now - reading;
            reading = now;
        }
    }
}
