package io.fairlead.announce;

import io.fairlead.api.Ip;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The links of this node, read again now and then: they come and go, and change their addresses.
final class Links {
    private static final Logger LOG = LoggerFactory.getLogger(Links.class);
    private static final Duration AGE = Duration.ofSeconds(1);

    private List<LocalLink> known = List.of();
    private long readAt;

    /// The link of each address that is on one.
    Map<Ip, LocalLink> of(Set<Ip> addresses, long now) {
        Map<Ip, LocalLink> places = new TreeMap<>();
        if (addresses.isEmpty()) {
            return places;
        }
        if (known.isEmpty() || now - readAt >= AGE.toNanos()) {
            read(now);
        }
        addresses.forEach(ip ->
                known.stream().filter(link -> link.reaches(ip)).findFirst().ifPresent(link -> places.put(ip, link)));
        return places;
    }

    private void read(long now) {
        try {
            known = LocalLink.read();
            readAt = now;
        } catch (AnnounceException e) {
            LOG.warn("event=links-unreadable reason=\"{}\"", e.getMessage());
        }
    }
}
