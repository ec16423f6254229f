package io.fairlead.endpoints;

import io.fairlead.api.Json;
import io.fairlead.api.Node;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What part of the cluster's CPUs each zone has, and so what part of the endpoints it should have to itself.
///
/// A zone may make do with less than its part, as long as none of its endpoints has more than a fifth too much to do.
record ZoneShares(Map<String, Double> shares) {
    private static final double OVERLOAD = 0.2;

    /// Nothing where there are less than two zones, or a node that is ready does not say its zone or its CPUs.
    static Optional<ZoneShares> of(Collection<Node> nodes) {
        Map<String, Double> cpus = new TreeMap<>();
        double all = 0;
        for (Node node : nodes) {
            if (node.ready()) {
                if (node.zone().isEmpty() || node.cpuMillis() == 0) {
                    return Optional.empty();
                }
                cpus.merge(node.zone(), (double) node.cpuMillis(), Double::sum);
                all += node.cpuMillis();
            }
        }
        double total = all;
        cpus.replaceAll((_, cpu) -> cpu / total);
        return cpus.size() < 2 ? Optional.empty() : Optional.of(new ZoneShares(cpus));
    }

    /// A zone for each endpoint: its own where it can be, another where that has too few; nothing if it does not work
    /// out.
    Optional<Map<WantedEndpoint.Identity, String>> assign(List<WantedEndpoint> endpoints) {
        Map<String, Deque<WantedEndpoint>> byZone = new TreeMap<>();
        shares.keySet().forEach(zone -> byZone.put(zone, new ArrayDeque<>()));
        for (WantedEndpoint endpoint : endpoints) {
            Deque<WantedEndpoint> zone = byZone.get(Json.text(endpoint.json(), "zone"));
            if (zone == null) {
                return Optional.empty();
            }
            zone.add(endpoint);
        }
        return level(byZone, endpoints.size()) ? Optional.of(zones(byZone)) : Optional.empty();
    }

    /// Moves endpoints from the zones that have most to spare to those that have too few.
    private boolean level(Map<String, Deque<WantedEndpoint>> byZone, int all) {
        for (Map.Entry<String, Deque<WantedEndpoint>> poor : byZone.entrySet()) {
            while (poor.getValue().size() < least(poor.getKey(), all)) {
                Optional<Map.Entry<String, Deque<WantedEndpoint>>> rich = byZone.entrySet().stream()
                        .filter(zone -> zone.getValue().size() - 1 >= least(zone.getKey(), all))
                        .max(Comparator.comparingDouble(zone -> zone.getValue().size() - part(zone.getKey(), all)));
                if (rich.isEmpty()) {
                    return false;
                }
                poor.getValue().add(rich.get().getValue().removeLast());
            }
        }
        return true;
    }

    /// The fewest endpoints that a zone can make do with; one at least, or its clients would have no endpoint.
    private int least(String zone, int all) {
        return Math.max(1, (int) Math.ceil(part(zone, all) / (1 + OVERLOAD) - 1e-9));
    }

    private double part(String zone, int all) {
        return shares.getOrDefault(zone, 0.0) * all;
    }

    private static Map<WantedEndpoint.Identity, String> zones(Map<String, Deque<WantedEndpoint>> byZone) {
        Map<WantedEndpoint.Identity, String> zones = new HashMap<>();
        byZone.forEach((zone, endpoints) -> endpoints.forEach(endpoint -> zones.put(endpoint.identity(), zone)));
        return zones;
    }
}
