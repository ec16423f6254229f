package io.fairlead.client;

import io.fairlead.api.Kind;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which kinds are being watched, and since when the others are not; logs each change once.
final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private final Map<Kind, Instant> lostSince = new ConcurrentHashMap<>();

    /// Not watched yet: no news for the log.
    void starting(Kind kind) {
        lostSince.put(kind, Instant.now());
    }

    void live(Kind kind) {
        if (lostSince.remove(kind) != null) {
            LOG.info("watch={} state=live", kind.qualified());
        }
    }

    void lost(Kind kind, String reason) {
        if (lostSince.putIfAbsent(kind, Instant.now()) == null) {
            LOG.warn("watch={} state=lost reason=\"{}\"", kind.qualified(), reason);
        }
    }

    Map<Kind, Instant> lostSince() {
        return Map.copyOf(lostSince);
    }
}
