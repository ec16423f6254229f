package io.fairlead.proxy;

import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ServicePortName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Sums of the kernel's counters that never go back, although a counter begins anew when its entry is replaced.
///
/// What is no longer told is forgotten, so that the sums do not grow with every pod that ever was. What a counter
/// took between the last reading and its end is lost: nobody can read a counter that is gone.
final class ConnectionTotals {
    /// One line of the metrics.
    sealed interface Series {
        ServicePortName service();

        record OfService(ServicePortName service) implements Series {}

        record OfEndpoint(ServicePortName service, String endpoint) implements Series {}
    }

    private record Counter(Object key, Series series) {}

    private Map<Counter, Long> readings = Map.of();
    private Map<Series, Long> totals = Map.of();

    /// The sums, with what the counters show now.
    Map<Series, Long> at(List<ConnectionCount> counts) {
        Map<Counter, Long> now = new HashMap<>();
        Map<Series, Long> sums = new HashMap<>();
        for (ConnectionCount count : counts) {
            Series series = series(count);
            Counter counter = new Counter(count.counter(), series);
            now.put(counter, count.connections());
            long before = readings.getOrDefault(counter, 0L);
            boolean beganAnew = count.connections() < before;
            sums.merge(series, count.connections() - (beganAnew ? 0 : before), Long::sum);
        }
        sums.replaceAll((series, grown) -> totals.getOrDefault(series, 0L) + grown);
        readings = now;
        totals = sums;
        return Map.copyOf(sums);
    }

    /// The sums as they were last time.
    Map<Series, Long> last() {
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
