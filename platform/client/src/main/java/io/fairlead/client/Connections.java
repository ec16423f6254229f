package io.fairlead.client;

import io.fairlead.api.Kind;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Which kinds are being watched, and since when the others are not; logs each change, and each reason, once.
final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private final Map<Kind, Instant> lostSince = new ConcurrentHashMap<>();
    private final Map<Kind, String> told = new ConcurrentHashMap<>();

    /// Not watched yet: no news for the log.
    void starting(Kind kind) {
        lostSince.put(kind, Instant.now());
    }

    void live(Kind kind) {
        boolean news = told.remove(kind) != null;
        if (lostSince.remove(kind) != null || news) {
            LOG.info("event=watch-live kind={}", kind.qualified());
        }
    }

    /// A watch that never was says why as well, and so does one that fails for another reason than before: "not
    /// there" may become "forbidden".
    void lost(Kind kind, String reason) {
        lostSince.putIfAbsent(kind, Instant.now());
        if (!reason.equals(told.put(kind, reason))) {
            LOG.warn("event=watch-lost kind={} reason=\"{}\"", kind.qualified(), reason);
        }
    }

    /// The server has no such kind for us, and we can do without: nothing is lost.
    void absent(Kind kind, String reason) {
        lostSince.remove(kind);
        if (!reason.equals(told.put(kind, reason))) {
            LOG.info("event=kind-absent kind={} reason=\"{}\"", kind.qualified(), reason);
        }
    }

    Map<Kind, Instant> lostSince() {
        return Map.copyOf(lostSince);
    }
}
