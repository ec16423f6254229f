package io.fairlead.testkit;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The slices of one Service at random: up to two of each family, whose endpoints may be in both, in different states.
final class RandomSlices {
    /// How the endpoints of a Service are hinted at.
    private enum Hinted {
        NOWHERE,
        FOR_ZONES,
        FOR_NODES,
        FOR_BOTH,
        HERE_AND_THERE
    }

    private static final List<String> GOING_DOWN = List.of(
            "conditions: {ready: false, serving: true, terminating: true}",
            "conditions: {ready: false, serving: false, terminating: true}",
            "conditions: {ready: false, serving: false, terminating: false}",
            "conditions: {ready: false}");

    /// Absent conditions, and those of pods that are published before they are ready, among the usual ones.
    private static final List<String> STATES = Stream.concat(
                    Stream.of(
                            "conditions: {ready: true, serving: true, terminating: false}",
                            "conditions: {ready: true}",
                            "conditions: {}",
                            "zone: zone-9",
                            "conditions: {ready: true, serving: false, terminating: false}",
                            "conditions: {ready: true, serving: false, terminating: true}",
                            "conditions: {terminating: true, ready: false}"),
                    GOING_DOWN.stream())
            .toList();

    private final RandomService service;
    private final int nodes;
    private final Dice dice;
    private final Hinted hinted;
    private final List<String> states;

    RandomSlices(RandomService service, int nodes, Dice dice) {
        this.service = service;
        this.nodes = nodes;
        this.dice = dice;
        this.hinted = dice.one(List.of(Hinted.values()));
        this.states = dice.oneIn(4) ? GOING_DOWN : STATES;
    }

    /// Where an endpoint is: a pod, by the number of its node and its own; or a process of the node itself, 0.
    private record Place(int node, int pod) {
        String address(Family family) {
            boolean four = family == Family.IPV4;
            return pod == 0
                    ? (four ? "10.210.0.1%d" : "fd00:210::1%d").formatted(node + 1)
                    : (four ? "10.244.%d.%d" : "fd00:244:%d::%d").formatted(node + 1, pod);
        }
    }

    List<EndpointSlice> slices() {
        List<EndpointSlice> slices = new ArrayList<>();
        for (Family family : Family.values()) {
            List<Place> places = places();
            slices.add(slice(family, 1, places));
            if (dice.oneIn(2)) {
                List<Place> again = Stream.concat(dice.some(2, places).stream(), places().stream())
                        .toList();
                slices.add(slice(family, 2, again));
            }
        }
        return slices;
    }

    private List<Place> places() {
        return dice.numbers(4, nodes).stream()
                .map(node -> new Place(node, dice.oneIn(8) ? 0 : 1 + dice.below(4)))
                .toList();
    }

    private EndpointSlice slice(Family family, int part, List<Place> places) {
        boolean headless = service.isHeadless() || dice.oneIn(20);
        return EndpointSlice.of(Yaml.parseAll("""
            metadata:
              namespace: default
              name: %s-%s-%d
              labels: {kubernetes.io/service-name: %1$s%s}
            addressType: %s
            ports: [%s]
            endpoints: [%s]
            """.formatted(
                                service.name(),
                                family,
                                part,
                                headless ? ", service.kubernetes.io/headless: \"\"" : "",
                                dice.oneIn(30) ? "FQDN" : family,
                                ports(),
                                endpoints(family, places)))
                .getFirst());
    }

    /// The ports of the Service, but for some that are missing or have no number.
    private String ports() {
        return service.ports().stream()
                .filter(_ -> !dice.oneIn(8))
                .map(port -> "{name: \"%s\", protocol: %s%s}"
                        .formatted(port.name(), port.protocol(), dice.one(numbers(port))))
                .collect(Collectors.joining(", "));
    }

    private static List<String> numbers(RandomService.Port port) {
        String usual = ", port: %d".formatted(port.number() + 8000);
        return List.of(usual, usual, usual, usual, ", port: 9090", "");
    }

    private String endpoints(Family family, List<Place> places) {
        Stream<String> pods = places.stream().map(place -> endpoint(family, place));
        // A machine that no node knows, and an endpoint that has no address yet.
        String machine = family == Family.IPV4 ? "192.0.2.9" : "2001:db8::9";
        Stream<String> strange =
                dice.some(12, List.of("{addresses: [\"%s\"]}".formatted(machine), "{addresses: []}")).stream();
        return Stream.concat(pods, strange).collect(Collectors.joining(", "));
    }

    private String endpoint(Family family, Place place) {
        List<String> fields = new ArrayList<>();
        String second = dice.oneIn(10) ? ", \"%s\"".formatted(new Place(place.node, 9).address(family)) : "";
        fields.add("addresses: [\"%s\"%s]".formatted(place.address(family), second));
        if (!dice.oneIn(6)) {
            fields.add("nodeName: node-" + place.node);
        }
        fields.add(dice.one(states));
        fields.add("hints: {%s}".formatted(String.join(", ", hints(place))));
        return "{%s}".formatted(String.join(", ", fields));
    }

    /// Most are for where they are.
    private List<String> hints(Place place) {
        int node = dice.oneIn(4) ? dice.below(nodes) : place.node;
        String zones = dice.one(List.of(
                "forZones: [{name: zone-%d}]".formatted(node % 2), "forZones: [{name: zone-0}, {name: zone-1}]"));
        String forNode = "forNodes: [{name: node-%d}]".formatted(node);
        return switch (hinted) {
            case NOWHERE -> List.of();
            case FOR_ZONES -> List.of(zones);
            case FOR_NODES -> List.of(forNode);
            case FOR_BOTH -> List.of(zones, forNode);
            case HERE_AND_THERE -> dice.some(2, List.of(zones, forNode));
        };
    }
}
