package io.fairlead.sync;

import io.fairlead.api.Family;
import io.fairlead.api.IpPort;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.LiveFlows;
import io.fairlead.kernel.ConntrackFlow;
import io.fairlead.kernel.ConntrackSocket;
import io.fairlead.kernel.KernelException;
import io.fairlead.runtime.Latest;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes the kernel forget flows that lead to no endpoint, so that the next packet of such a client is led anew: those
/// of UDP, and connections of TCP that no endpoint has answered.
///
/// It works in the network namespace of the thread that calls it.
final class FlowSweeper {
    private static final Logger LOG = LoggerFactory.getLogger(FlowSweeper.class);
    /// An endpoint that lives answers within it; and a client knocks again after it for the first time.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Latest<ForwardingTable> tables = new Latest<>();
    private final Histogram duration;
    private final Counter deleted;

    FlowSweeper(PrometheusRegistry registry) {
        duration = Histogram.builder()
                .name("kubeproxy_conntrack_reconciler_sync_duration_seconds")
                .help("How long it took to look through the kernel's flows.")
                .labelNames(SyncMetrics.FAMILY)
                .classicOnly()
                .classicExponentialUpperBounds(0.001, 2, 15)
                .register(registry);
        deleted = Counter.builder()
                .name("kubeproxy_conntrack_reconciler_deleted_entries_total")
                .help("How many flows were deleted because they led to no endpoint.")
                .labelNames(SyncMetrics.FAMILY)
                .register(registry);
        for (Family family : Family.values()) {
            deleted.initLabelValues(family.toString()); // so that zero can be seen
        }
    }

    /// Another table stands in the kernel. A kernel that refuses a sweep is only logged: flows end by themselves
    /// some time after their last packet.
    void programmed(ForwardingTable before, ForwardingTable now) {
        LiveFlows flows = LiveFlows.between(before, now);
        if (!flows.isEmpty()) {
            sweep(EnumSet.allOf(Family.class), (socket, family) -> stale(flows, socket.flows(family, Protocol.UDP)));
        }
        tables.offer(now);
    }

    /// Looks after the connections that no endpoint answers, when another table has stood in the kernel for a moment.
    ///
    /// By then each of them that leads elsewhere than the table says is older than the table, and the endpoint that
    /// should have answered it is gone. All packets of a connection go where its first one went: without this a
    /// client would knock there to the end, and so would the next one with the same port, for two minutes.
    void sweepUnanswered() throws InterruptedException {
        while (true) {
            ForwardingTable table = tables.take();
            Thread.sleep(PATIENCE);
            ForwardingTable newest = tables.peek().orElse(table); // an endpoint may have come since then
            // To look through all connections for nothing takes the kernel tens of milliseconds: not for every family.
            sweep(
                    table.families(),
                    (socket, family) -> unanswered(newest, unanswered(table, socket.unanswered(family, Protocol.TCP))));
        }
    }

    /// Those of the flows that lead elsewhere than the table says.
    private static List<ConntrackFlow> unanswered(ForwardingTable table, List<ConntrackFlow> flows) {
        List<IpPort> knocked = flows.stream().map(ConntrackFlow::destination).toList();
        return knocked.isEmpty() ? List.of() : stale(LiveFlows.at(table, Protocol.TCP, knocked), flows);
    }

    private static List<ConntrackFlow> stale(LiveFlows live, List<ConntrackFlow> flows) {
        return flows.stream()
                .filter(flow -> live.isStale(flow.destination(), flow.answerer()))
                .toList();
    }

    private interface Look {
        List<ConntrackFlow> stale(ConntrackSocket socket, Family family);
    }

    private void sweep(Set<Family> families, Look look) {
        try (ConntrackSocket socket = ConntrackSocket.open()) {
            for (Family family : families) {
                long start = System.nanoTime();
                for (ConntrackFlow flow : look.stale(socket, family)) {
                    if (socket.delete(flow)) {
                        deleted.labelValues(family.toString()).inc();
                    }
                }
                duration.labelValues(family.toString()).observe((System.nanoTime() - start) / 1e9);
            }
        } catch (KernelException e) {
            LOG.warn("event=sweep-failed reason=\"{}\"", e.getMessage());
        }
    }
}
