package io.fairlead.sync;

import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ConnectionCounters;
import io.fairlead.forwarding.ServicePortName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// Sums of the kernel's counters that never go back, although a counter begins anew when its entry is replaced.
///
/// What is no longer told is forgotten, so that the sums do not grow with every pod that ever was. Counters are
/// read by who asks for the metrics, and before a change ends them. To read all of a large cluster takes a
/// second, and no change waits for it: what ends meanwhile is counted by the change, and left out of the reading.
final class ConnectionTotals {
    /// How many sums may wait for a client that reads the metrics.
    private static final int MOST_UNTOLD = 50_000;

    /// One line of the metrics.
    sealed interface Series {
        ServicePortName service();

        record OfService(ServicePortName service) implements Series {}

        record OfEndpoint(ServicePortName service, String endpoint) implements Series {}
    }

    private record Counter(Object key, Series series) {
        static Counter of(ConnectionCount count) {
            return new Counter(
                    count.counter(),
                    switch (count) {
                        case ConnectionCount.ToService to -> new Series.OfService(to.service());
                        case ConnectionCount.ToTarget to ->
                            new Series.OfEndpoint(to.service(), to.target().toString());
                    });
        }
    }

    private final ReentrantLock reader = new ReentrantLock();
    private Map<Counter, Long> readings = new HashMap<>();
    private Map<Series, Long> totals = new HashMap<>();
    private final Set<Counter> endedMeanwhile = new HashSet<>();
    private int told;

    /// Adds what these counters have counted since they were last read.
    synchronized void account(List<ConnectionCount> counts) {
        for (ConnectionCount count : counts) {
            Counter counter = Counter.of(count);
            totals.merge(counter.series, grown(counter, count.connections()), Long::sum);
            readings.put(counter, count.connections());
            if (reader.isLocked()) {
                endedMeanwhile.add(counter);
            }
        }
        if (totals.size() > told + MOST_UNTOLD) {
            totals.keySet().removeIf(Series.OfEndpoint.class::isInstance); // most are gone, and no client asks
        }
    }

    /// These counters begin anew, or are gone; one that was read again since is a new one.
    synchronized void forget(List<ConnectionCount> counts) {
        counts.forEach(count -> readings.remove(Counter.of(count), count.connections()));
    }

    /// These counters begin anew, or are gone.
    void end(List<ConnectionCount> counts) {
        account(counts);
        forget(counts);
    }

    /// The sums, with what the counters show now.
    Map<Series, Long> at(ConnectionCounters counters) {
        reader.lock();
        try {
            begin();
            return merge(counters.connections());
        } finally {
            reader.unlock();
        }
    }

    private synchronized void begin() {
        endedMeanwhile.clear();
    }

    private synchronized Map<Series, Long> merge(List<ConnectionCount> counts) {
        Map<Counter, Long> now = new HashMap<>();
        Map<Series, Long> sums = new HashMap<>();
        for (ConnectionCount count : counts) {
            Counter counter = Counter.of(count);
            boolean ended = endedMeanwhile.contains(counter);
            sums.merge(counter.series, ended ? 0 : grown(counter, count.connections()), Long::sum);
            if (!ended) {
                now.put(counter, count.connections());
            } else if (readings.containsKey(counter)) {
                now.put(counter, readings.get(counter));
            }
        }
        sums.replaceAll((series, grown) -> totals.getOrDefault(series, 0L) + grown);
        readings = now;
        totals = sums;
        told = sums.size();
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
}
