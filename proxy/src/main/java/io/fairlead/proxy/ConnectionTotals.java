package io.fairlead.proxy;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ConnectionCounters;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.ServicePortName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sums of the kernel's counters that never go back, although a counter begins anew when its entry is replaced.
///
/// What is no longer told is forgotten, so that the sums do not grow with every pod that ever was. Counters are read by
/// who asks for the metrics, and before a change ends them; only one of the two at a time.
final class ConnectionTotals {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionTotals.class);

    /// One line of the metrics.
    sealed interface Series {
        ServicePortName service();

        record OfService(ServicePortName service) implements Series {}

        record OfEndpoint(ServicePortName service, String endpoint) implements Series {}
    }

    private record Counter(Object key, Series series) {}

    private Map<Counter, Long> readings = Map.of();
    private Map<Series, Long> totals = Map.of();

    /// Applies a patch, and keeps what the counters show that it ends. That this cannot be read stops no patch.
    synchronized <E extends Entry> void apply(Patch<E> patch, Backend<E> backend) {
        List<ConnectionCount> ending =
                backend instanceof ConnectionCounters counters ? ending(patch, counters) : List.of();
        backend.apply(patch);
        end(ending);
    }

    private static List<ConnectionCount> ending(Patch<?> patch, ConnectionCounters counters) {
        try {
            return counters.ending(patch);
        } catch (ApplyException e) {
            LOG.warn("connections lost reason=\"{}\"", e.getMessage());
            return List.of();
        }
    }

    /// These counters begin anew, or are gone.
    synchronized void end(List<ConnectionCount> counts) {
        Map<Counter, Long> left = new HashMap<>(readings);
        Map<Series, Long> sums = new HashMap<>(totals);
        for (ConnectionCount count : counts) {
            Series series = series(count);
            Counter counter = new Counter(count.counter(), series);
            sums.merge(series, grown(counter, count.connections()), Long::sum);
            left.remove(counter);
        }
        readings = left;
        totals = sums;
    }

    /// The sums, with what the counters show now.
    synchronized Map<Series, Long> at(ConnectionCounters counters) {
        return at(counters.connections());
    }

    synchronized Map<Series, Long> at(List<ConnectionCount> counts) {
        Map<Counter, Long> now = new HashMap<>();
        Map<Series, Long> sums = new HashMap<>();
        for (ConnectionCount count : counts) {
            Series series = series(count);
            Counter counter = new Counter(count.counter(), series);
            now.put(counter, count.connections());
            sums.merge(series, grown(counter, count.connections()), Long::sum);
        }
        sums.replaceAll((series, grown) -> totals.getOrDefault(series, 0L) + grown);
        readings = now;
        totals = sums;
        return Map.copyOf(sums);
    }

    /// A counter that shows less than before began anew.
    private long grown(Counter counter, long connections) {
        long before = readings.getOrDefault(counter, 0L);
        return connections < before ? connections : connections - before;
    }

    /// The sums as they were last time.
    synchronized Map<Series, Long> last() {
        return Map.copyOf(totals);
    }

    private static Series series(ConnectionCount count) {
        return switch (count) {
            case ConnectionCount.ToService to -> new Series.OfService(to.service());
            case ConnectionCount.ToTarget to ->
                new Series.OfEndpoint(to.service(), to.target().toString());
        };
    }
}
