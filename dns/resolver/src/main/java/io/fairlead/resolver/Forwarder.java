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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks the servers of a name's zone, those that answered last first.
final class Forwarder {
    private static final Logger LOG = LoggerFactory.getLogger(Forwarder.class);
    private static final Duration PATIENCE = Duration.ofMillis(1500);
    private static final int ROUNDS = 2;

    private final Map<Name, List<Upstream>> zones = new LinkedHashMap<>();
    private final Set<Name> cut = ConcurrentHashMap.newKeySet();

    Forwarder(List<Forward> forwards, boolean mixedCase) {
        forwards.forEach(forward -> zones.put(
                forward.zone(),
                forward.servers().stream()
                        .map(server -> new Upstream(server, PATIENCE, mixedCase))
                        .toList()));
    }

    /// Whether there is a server to be asked.
    boolean knows(Name name) {
        return zone(name).isPresent();
    }

    /// The zones that have servers of their own.
    Set<Name> zones() {
        return zones.keySet();
    }

    /// Asks no server of a zone any more.
    void cut(Name zone) {
        cut.add(zone);
    }

    /// The answer of the first that has one; nothing where none answers.
    Optional<Sections> ask(Name name, int type) {
        Optional<Sections> last = Optional.empty();
        List<Upstream> known =
                zone(name).filter(zone -> !cut.contains(zone)).map(zones::get).orElse(List.of());
        for (int round = 0; round < ROUNDS; round++) {
            List<Upstream> servers = new ArrayList<>(known);
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
                        LOG.warn("event=upstream-silent server={} reason=\"{}\"", server.address(), e.getMessage());
                    }
                }
            }
        }
        return last;
    }

    /// How each server does, as Prometheus reads it.
    String metrics() {
        StringBuilder text = new StringBuilder(
                "# HELP fairlead_dns_upstream_failures Questions in a row that a server did not answer.\n"
                        + "# TYPE fairlead_dns_upstream_failures gauge\n");
        zones.forEach((zone, servers) ->
                servers.forEach(server -> text.append("fairlead_dns_upstream_failures{zone=\"%s\",to=\"%s\"} %d\n"
                        .formatted(zone, server.address(), server.failures()))));
        return text.toString();
    }

    /// The longest zone that the name is in.
    private Optional<Name> zone(Name name) {
        return zones.keySet().stream().filter(name::isWithin).max(Comparator.comparingInt(Name::length));
    }
}
