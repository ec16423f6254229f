package io.fairlead.userspace;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/// What the relay remembers of one port of a Service, whichever frontend a client used: who had which target, and how
/// many connections each target has. For many threads.
final class ServiceMemory {
    private static final int MOST_CLIENTS = 65_536;

    /// Whom a client had, and when it last came.
    private record LastTarget(IpPort target, long nanos) {}

    private final Map<Ip, LastTarget> visits = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<IpPort, Load> loads = new ConcurrentHashMap<>();

    /// The connections of one target: now, and since the relay began.
    static final class Load {
        private final AtomicInteger now = new AtomicInteger();
        private final LongAdder all = new LongAdder();

        int now() {
            return now.get();
        }

        long all() {
            return all.sum();
        }
    }

    /// The target that a client had, if it came back in time and the target may still be had.
    synchronized Optional<IpPort> recall(Ip client, long nanos, long timeout, Predicate<IpPort> known) {
        LastTarget last = visits.get(client);
        if (last == null) {
            return Optional.empty();
        }
        if (nanos - last.nanos() > timeout || !known.test(last.target())) {
            visits.remove(client);
            return Optional.empty();
        }
        visits.put(client, new LastTarget(last.target(), nanos));
        return Optional.of(last.target());
    }

    /// The client that was away longest is forgotten where there are too many.
    synchronized void remember(Ip client, IpPort target, long nanos) {
        visits.put(client, new LastTarget(target, nanos));
        if (visits.size() > MOST_CLIENTS) {
            visits.remove(visits.keySet().iterator().next());
        }
    }

    int load(IpPort target) {
        Load load = loads.get(target);
        return load == null ? 0 : load.now();
    }

    void begin(IpPort target) {
        Load load = loads.computeIfAbsent(target, _ -> new Load());
        load.now.incrementAndGet();
        load.all.increment();
    }

    void end(IpPort target) {
        Load load = loads.get(target);
        if (load != null) {
            load.now.decrementAndGet();
        }
    }

    Map<IpPort, Load> loads() {
        return loads;
    }
}
