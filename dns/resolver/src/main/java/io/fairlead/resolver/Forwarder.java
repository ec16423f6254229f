package io.fairlead.resolver;

import io.fairlead.zone.Name;
import io.fairlead.zone.ResponseCode;
import io.fairlead.zone.Sections;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks the servers of a name's zone, those that answered last first.
final class Forwarder {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);
    private static final Duration PATIENCE = Duration.ofMillis(1500);
    private static final int ROUNDS = 2;

    private final Map<Name, List<Upstream>> zones = new LinkedHashMap<>();

    Forwarder(List<Forward> forwards) {
        forwards.forEach(forward -> zones.put(
                forward.zone(),
                forward.servers().stream()
                        .map(server -> new Upstream(server, PATIENCE))
                        .toList()));
    }

    /// Whether there is a server to be asked.
    boolean knows(Name name) {
        return !servers(name).isEmpty();
    }

    /// The answer of the first that has one; nothing where none answers.
    Optional<Sections> ask(Name name, int type) {
        Optional<Sections> last = Optional.empty();
        for (int round = 0; round < ROUNDS; round++) {
            List<Upstream> servers = new ArrayList<>(servers(name));
            servers.sort(Comparator.comparingInt(Upstream::failures));
            for (Upstream server : servers) {
                try {
                    Sections sections = server.ask(name, type);
                    if (sections.code() == ResponseCode.NOERROR.code()
                            || sections.code() == ResponseCode.NXDOMAIN.code()) {
                        return Optional.of(sections);
                    }
                    last = Optional.of(sections);
                } catch (IOException e) {
                    if (server.failures() == 1) {
                        LOG.warn("upstream={} failed=\"{}\"", server.address(), e.getMessage());
                    }
                }
            }
        }
        return last;
    }

    /// Those of the longest zone that the name is in.
    private List<Upstream> servers(Name name) {
        return zones.entrySet().stream()
                .filter(entry -> name.isWithin(entry.getKey()))
                .max(Comparator.comparingInt(entry -> entry.getKey().length()))
                .map(Map.Entry::getValue)
                .orElse(List.of());
    }
}
