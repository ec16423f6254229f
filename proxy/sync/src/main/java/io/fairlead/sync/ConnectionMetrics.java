package io.fairlead.sync;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.ConnectionCounters;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.sync.ConnectionTotals.Series;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Connections per Service and per endpoint, read from the kernel whenever a client asks for the metrics.
final class ConnectionMetrics implements MultiCollector {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionMetrics.class);

    private final ConnectionCounters counters;
    private final ConnectionTotals totals;

    ConnectionMetrics(ConnectionCounters counters, ConnectionTotals totals) {
        this.counters = counters;
        this.totals = totals;
    }

    @Override
    public synchronized MetricSnapshots collect() {
        CounterSnapshot.Builder services = CounterSnapshot.builder()
                .name("fairlead_service_connections")
                .help("New connections to a port of a Service, through any of its addresses.");
        CounterSnapshot.Builder endpoints = CounterSnapshot.builder()
                .name("fairlead_endpoint_connections")
                .help("New connections that a port of a Service sent to one endpoint.");
        read().forEach((series, total) -> {
            switch (series) {
                case Series.OfService(var service) -> services.dataPoint(point(labels(service), total));
                case Series.OfEndpoint(var service, var endpoint) ->
                    endpoints.dataPoint(point(labels(service).merge(Labels.of("endpoint", endpoint)), total));
            }
        });
        return MetricSnapshots.of(services.build(), endpoints.build());
    }

    /// A kernel that does not answer must not hide the other metrics.
    private Map<Series, Long> read() {
        try {
            return totals.at(counters);
        } catch (ApplyException e) {
            LOG.warn("event=connections-not-read reason=\"{}\"", e.getMessage());
            return totals.last();
        }
    }

    private static Labels labels(ServicePortName port) {
        return Labels.of(
                "namespace", port.service().namespace(),
                "name", port.service().name(),
                "port", port.port(),
                "protocol", port.protocol().lowerCase());
    }

    private static CounterDataPointSnapshot point(Labels labels, long total) {
        return CounterDataPointSnapshot.builder()
                .labels(labels)
                .value((double) total)
                .build();
    }
}
