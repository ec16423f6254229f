package io.fairlead.proxy;

import io.fairlead.api.Family;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.LiveFlows;
import io.fairlead.kernel.ConntrackFlow;
import io.fairlead.kernel.ConntrackSocket;
import io.fairlead.kernel.KernelException;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes the kernel forget UDP flows that lead to nobody, so that the next packet of such a client is led anew.
final class FlowSweeper {
    private static final Logger LOG = LoggerFactory.getLogger(FlowSweeper.class);

    private final Histogram duration;
    private final Counter deleted;

    FlowSweeper(PrometheusRegistry registry) {
        duration = Histogram.builder()
                .name("kubeproxy_conntrack_reconciler_sync_duration_seconds")
                .help("How long it took to look through the kernel's UDP flows.")
                .labelNames(SyncMetrics.FAMILY)
                .classicOnly()
                .classicExponentialUpperBounds(0.001, 2, 15)
                .register(registry);
        deleted = Counter.builder()
                .name("kubeproxy_conntrack_reconciler_deleted_entries_total")
                .help("How many UDP flows were deleted because they led to nobody.")
                .labelNames(SyncMetrics.FAMILY)
                .register(registry);
        for (Family family : Family.values()) {
            deleted.initLabelValues(family.toString()); // so that zero can be seen
        }
    }

    /// Works in the network namespace of the calling thread. A kernel that refuses is only logged: the flows end by
    /// themselves some time after their last packet.
    void sweep(LiveFlows flows) {
        if (flows.isEmpty()) {
            return;
        }
        try (ConntrackSocket socket = ConntrackSocket.open()) {
            for (Family family : Family.values()) {
                sweep(socket, family, flows);
            }
        } catch (KernelException e) {
            LOG.warn("conntrack sweep=failed reason=\"{}\"", e.getMessage());
        }
    }

    private void sweep(ConntrackSocket socket, Family family, LiveFlows flows) {
        long start = System.nanoTime();
        for (ConntrackFlow flow : socket.flows(family, Protocol.UDP)) {
            if (flows.isStale(flow.destination(), flow.answerer()) && socket.delete(flow)) {
                deleted.labelValues(family.toString()).inc();
            }
        }
        duration.labelValues(family.toString()).observe((System.nanoTime() - start) / 1e9);
    }
}
