package io.fairlead.announce;

import io.fairlead.api.Lease;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Which announcers live, judged by when we last saw them renew their Lease, on our own clock.
///
/// Our view itself is judged by our own heartbeat as it comes back to us through the watch. While that is missing we
/// cannot tell a dead node from a dead API server, so we declare no node dead; and when it comes back, every node that
/// lived before gets the time of a lease to be heard again.
///
/// All times are given: it has no clock.
final class Liveness {
    /// How much a Lease may be behind our wall clock that we see for the first time. One that lay there for longer
    /// has to be renewed before it counts.
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(1);

    private record Sighting(String renewTime, long at) {}

    private final String self;
    private final long lease;
    private final Map<String, Sighting> seen = new HashMap<>();
    private boolean current;

    Liveness(String self, Duration lease) {
        this.self = self;
        this.lease = lease.toNanos();
    }

    /// Looks at the Leases at a moment, on the wall clock and in nanoseconds of a clock that only goes on.
    void look(Collection<Lease> leases, Instant wall, long now) {
        boolean before = current;
        leases.forEach(found -> sight(found, wall, now));
        current = isFresh(self, now);
        if (current && !before) {
            seen.replaceAll((_, sighting) -> sighting.at == NEVER ? sighting : new Sighting(sighting.renewTime, now));
        } else if (current) {
            seen.replaceAll(
                    (node, sighting) -> isFresh(node, now) ? sighting : new Sighting(sighting.renewTime, NEVER));
        }
    }

    private static final long NEVER = Long.MIN_VALUE;

    private void sight(Lease found, Instant wall, long now) {
        Sighting known = seen.get(found.holder());
        if (known == null) {
            boolean fresh = renewed(found).isAfter(wall.minus(CLOCK_SKEW).minusNanos(lease));
            seen.put(found.holder(), new Sighting(found.renewTime(), fresh ? now : NEVER));
        } else if (!known.renewTime.equals(found.renewTime())) {
            seen.put(found.holder(), new Sighting(found.renewTime(), now));
        }
    }

    private static Instant renewed(Lease lease) {
        try {
            return Instant.parse(lease.renewTime());
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }

    /// True if what we see of the cluster is as new as a lease is long.
    boolean isCurrent() {
        return current;
    }

    Set<String> live(long now) {
        return seen.keySet().stream().filter(node -> isFresh(node, now)).collect(Collectors.toUnmodifiableSet());
    }

    private boolean isFresh(String node, long now) {
        Sighting sighting = seen.get(node);
        return sighting != null && sighting.at != NEVER && now - sighting.at <= lease;
    }
}
