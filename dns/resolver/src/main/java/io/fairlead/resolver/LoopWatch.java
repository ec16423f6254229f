package io.fairlead.resolver;

import io.fairlead.zone.Name;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds out whether an upstream leads back to us: a question that we alone can have made comes in again.
final class LoopWatch {
    /// A type that clients do not ask for: HINFO, as CoreDNS takes it.
    static final int TYPE = 13;

    private static final Logger LOG = LoggerFactory.getLogger(LoopWatch.class);
    private static final SecureRandom CHANCE = new SecureRandom();

    private final Map<Name, Name> probes = new ConcurrentHashMap<>();
    private final Consumer<Name> found;

    /// `found` takes the zone whose upstream leads back.
    LoopWatch(Consumer<Name> found) {
        this.found = found;
    }

    /// A name below the zone that none but us knows.
    Name probe(Name zone) {
        Name probe =
                zone.child(Long.toUnsignedString(CHANCE.nextLong())).child(Long.toUnsignedString(CHANCE.nextLong()));
        probes.put(probe, zone);
        return probe;
    }

    /// Whether a question that came in is one of ours.
    boolean isOurs(Name name, int type) {
        if (type != TYPE) {
            return false;
        }
        Name zone = probes.get(name);
        if (zone == null) {
            return false;
        }
        LOG.error(
                "event=forwarding-loop zone={} effect=\"names of it fail until the server is set up otherwise\"", zone);
        found.accept(zone);
        return true;
    }
}
