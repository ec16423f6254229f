package io.fairlead.endpoints;

import io.fairlead.api.EventDraft;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Node;
import io.fairlead.api.Service;
import io.fairlead.api.ServicePolicies.TrafficDistribution;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Which endpoints are meant for which zones and nodes; proxies heed it only where every endpoint has a hint (E9).
final class Hints {
    private static final String MODE = "service.kubernetes.io/topology-mode";
    private static final String OLD_MODE = "service.kubernetes.io/topology-aware-hints";

    /// What users should know, on the Service itself: so the controller knows what it has told them already.
    static final String PROBLEM = "fairlead.io/topology-problem";

    private static final String SENTENCE =
            "the endpoints cannot be shared among the zones by their CPUs, so each node uses all of them";

    private final Service service;
    private final Collection<Node> nodes;
    private boolean impossible;

    Hints(Service service, Collection<Node> nodes) {
        this.service = service;
        this.nodes = nodes;
    }

    /// True if the Service asks for zones by their share of the CPUs; that depends on all nodes there are.
    static boolean areByShare(Service service) {
        Map<String, String> annotations = service.metadata().annotations();
        String mode = annotations.getOrDefault(MODE, annotations.getOrDefault(OLD_MODE, ""));
        return mode.toLowerCase(Locale.ROOT).equals("auto");
    }

    /// The endpoints of one family with the hints that the Service asks for.
    Map<SliceGroup, List<WantedEndpoint>> given(Map<SliceGroup, List<WantedEndpoint>> groups) {
        if (areByShare(service)) {
            return byShare(groups);
        }
        TrafficDistribution distribution = service.policies().distribution();
        return switch (distribution) {
            case ANY -> groups;
            case SAME_ZONE, SAME_NODE -> mapped(groups, endpoint -> near(endpoint, distribution));
        };
    }

    /// What the controller should tell the users of the Service, once: that hints were asked for and cannot be given.
    List<Write> notes() {
        String told = service.metadata().annotations().getOrDefault(PROBLEM, "");
        String problem = impossible ? SENTENCE : "";
        if (problem.equals(told)) {
            return List.of();
        }
        ObjectNode patch = Json.object();
        ObjectNode annotations = patch.putObject("metadata").putObject("annotations");
        if (problem.isEmpty()) {
            annotations.putNull(PROBLEM);
            return List.of(new Write.MergePatch(Kind.SERVICE, service.key(), patch));
        }
        annotations.put(PROBLEM, problem);
        return List.of(
                new Write.MergePatch(Kind.SERVICE, service.key(), patch),
                new Write.Report(new EventDraft(
                        Kind.SERVICE,
                        service.key(),
                        service.metadata().uid(),
                        "Warning",
                        "TopologyAwareHintsDisabled",
                        problem)));
    }

    private Map<SliceGroup, List<WantedEndpoint>> byShare(Map<SliceGroup, List<WantedEndpoint>> groups) {
        List<WantedEndpoint> ready = groups.values().stream()
                .flatMap(List::stream)
                .filter(WantedEndpoint::isReady)
                .toList();
        Optional<Map<WantedEndpoint.Identity, String>> zones =
                ZoneShares.of(nodes).flatMap(s -> s.assign(ready));
        impossible |= zones.isEmpty() && !ready.isEmpty();
        Map<WantedEndpoint.Identity, String> assigned = zones.orElse(Map.of());
        return mapped(groups, endpoint -> {
            ObjectNode hints = Json.object();
            Optional.ofNullable(assigned.get(endpoint.identity())).ifPresent(zone -> addZone(hints, zone));
            return hints;
        });
    }

    private static ObjectNode near(WantedEndpoint endpoint, TrafficDistribution distribution) {
        ObjectNode hints = Json.object();
        String zone = Json.text(endpoint.json(), "zone");
        String node = Json.text(endpoint.json(), "nodeName");
        if (!zone.isEmpty()) {
            addZone(hints, zone);
        }
        if (distribution == TrafficDistribution.SAME_NODE && !node.isEmpty()) {
            hints.putArray("forNodes").add(Json.object().put("name", node));
        }
        return hints;
    }

    private static void addZone(ObjectNode hints, String zone) {
        hints.putArray("forZones").add(Json.object().put("name", zone));
    }

    private interface HintsFor {
        ObjectNode of(WantedEndpoint endpoint);
    }

    private static Map<SliceGroup, List<WantedEndpoint>> mapped(
            Map<SliceGroup, List<WantedEndpoint>> groups, HintsFor hintsFor) {
        Map<SliceGroup, List<WantedEndpoint>> all = new LinkedHashMap<>();
        groups.forEach((group, endpoints) -> {
            List<WantedEndpoint> hinted = new ArrayList<>();
            for (WantedEndpoint endpoint : endpoints) {
                ObjectNode hints = endpoint.isReady() ? hintsFor.of(endpoint) : Json.object();
                hinted.add(hints.isEmpty() ? endpoint : endpoint.with("hints", hints));
            }
            all.put(group, hinted);
        });
        return all;
    }
}
