package io.fairlead.endpoints;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.api.PortReference;
import io.fairlead.api.Service;
import io.fairlead.runner.Selector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Which pods are endpoints of a Service, and what is said of each.
final class WantedEndpoints {
    private final Service service;
    private final List<Pod> pods;
    private final Map<String, Node> nodes;

    /// `pods` may be all pods there are: only those that the Service selects count.
    WantedEndpoints(Service service, Collection<Pod> pods, Map<String, Node> nodes) {
        this.service = service;
        this.nodes = nodes;
        this.pods = pods.stream()
                .filter(pod -> isSelected(service, pod) && isEndpoint(pod))
                .sorted(Comparator.comparing(Pod::key))
                .toList();
    }

    static boolean isSelected(Service service, Pod pod) {
        return pod.key().namespace().equals(service.key().namespace())
                && Selector.matches(service.selector(), pod.metadata().labels());
    }

    /// A pod that ended for good is no endpoint, whatever the Service publishes; one that is ending is.
    private static boolean isEndpoint(Pod pod) {
        return !pod.status().podIps().isEmpty() && !pod.status().isOver();
    }

    /// The endpoints of each family of the Service, by the numbers behind its ports; a family may have none.
    Map<Family, Map<SliceGroup, List<WantedEndpoint>>> byFamily() {
        Map<Family, Map<SliceGroup, List<WantedEndpoint>>> all = new EnumMap<>(Family.class);
        for (Family family : families()) {
            Map<SliceGroup, List<WantedEndpoint>> groups = new LinkedHashMap<>();
            for (Pod pod : pods) {
                address(pod, family)
                        .ifPresent(address -> groups.computeIfAbsent(
                                        new SliceGroup(family, ports(pod)), _ -> new ArrayList<>())
                                .add(endpoint(pod, address)));
            }
            all.put(family, groups);
        }
        return all;
    }

    /// Those of its addresses; a headless Service has none, so those it asks for. One that no API server completed may
    /// ask for none: those of its pods.
    private Set<Family> families() {
        Set<Family> families = EnumSet.noneOf(Family.class);
        service.clusterIps().forEach(ip -> families.add(ip.family()));
        if (families.isEmpty()) {
            families.addAll(service.families());
        }
        if (families.isEmpty()) {
            pods.forEach(pod -> pod.status().podIps().forEach(ip -> families.add(ip.family())));
        }
        return families.isEmpty() ? EnumSet.of(Family.IPV4) : families;
    }

    private static Optional<Ip> address(Pod pod, Family family) {
        return pod.status().podIps().stream()
                .filter(ip -> ip.family() == family)
                .findFirst();
    }

    /// A port whose name the pod does not know is left out for that pod.
    private SequencedSet<EndpointSlice.Port> ports(Pod pod) {
        SequencedSet<EndpointSlice.Port> ports = new LinkedHashSet<>();
        for (Service.Port port : service.ports()) {
            number(pod, port)
                    .ifPresent(number -> ports.add(
                            new EndpointSlice.Port(port.name(), port.protocol(), number, port.appProtocol())));
        }
        return ports;
    }

    private static Optional<Integer> number(Pod pod, Service.Port port) {
        return switch (port.targetPort()) {
            case PortReference.ByNumber(int number) -> Optional.of(number);
            case PortReference.ByName(String name) ->
                pod.spec().lastingContainers().stream()
                        .flatMap(container -> container.ports().stream())
                        .filter(p -> p.name().equals(name) && p.protocol() == port.protocol())
                        .map(Pod.ContainerPort::port)
                        .findFirst();
        };
    }

    private WantedEndpoint endpoint(Pod pod, Ip address) {
        ObjectNode json = Json.object();
        json.putArray("addresses").add(address.toString());
        json.set("conditions", conditions(pod));
        if (!pod.spec().nodeName().isEmpty()) {
            json.put("nodeName", pod.spec().nodeName());
        }
        json.set("targetRef", reference(pod));
        if (!pod.spec().hostname().isEmpty()
                && pod.spec().subdomain().equals(service.key().name())) {
            json.put("hostname", pod.spec().hostname());
        }
        zone(pod).ifPresent(zone -> json.put("zone", zone));
        return new WantedEndpoint(
                new WantedEndpoint.Identity(address, pod.metadata().uid()), json, PodWeight.of(pod));
    }

    private ObjectNode conditions(Pod pod) {
        boolean serving = pod.status().ready();
        boolean terminating = pod.metadata().isTerminating();
        return Json.object()
                .put("ready", service.publishNotReadyAddresses() || (serving && !terminating))
                .put("serving", serving)
                .put("terminating", terminating);
    }

    private static ObjectNode reference(Pod pod) {
        return Json.object()
                .put("kind", "Pod")
                .put("namespace", pod.key().namespace())
                .put("name", pod.key().name())
                .put("uid", pod.metadata().uid());
    }

    private Optional<String> zone(Pod pod) {
        return Optional.ofNullable(nodes.get(pod.spec().nodeName()))
                .map(Node::zone)
                .filter(zone -> !zone.isEmpty());
    }
}
