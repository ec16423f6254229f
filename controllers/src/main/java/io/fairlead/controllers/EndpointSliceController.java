package io.fairlead.controllers;

import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Keeps the EndpointSlices of every Service that selects pods.
public final class EndpointSliceController implements Controller {
    /// What of a pod its endpoints are made of.
    private record Facts(
            Map<String, String> labels,
            List<Ip> addresses,
            String node,
            boolean ready,
            boolean terminating,
            boolean over,
            List<Pod.Container> containers) {
        static Facts of(Pod pod) {
            return new Facts(
                    pod.metadata().labels(),
                    pod.status().podIps(),
                    pod.spec().nodeName(),
                    pod.status().ready(),
                    pod.metadata().isTerminating(),
                    pod.status().isOver(),
                    pod.spec().containers());
        }
    }

    @Override
    public String name() {
        return "endpointslice";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = now.servicesChangedSince(before);
        List<Pod> pods = changedPods(before, now);
        if (!pods.isEmpty()) {
            now.services().forEach((name, service) -> {
                if (!changed.contains(name)
                        && pods.stream().anyMatch(pod -> WantedEndpoints.isSelected(service, pod))) {
                    changed.add(name);
                }
            });
        }
        Set<String> moved = nodesWithAnotherZone(before, now);
        if (!moved.isEmpty()) {
            now.endpointSlices().forEach((_, slice) -> {
                if (slice.endpoints().stream().anyMatch(endpoint -> moved.contains(endpoint.nodeName()))) {
                    changed.add(slice.service());
                }
            });
        }
        return changed;
    }

    /// Each as it was and as it is: its labels may have left one Service and entered another.
    private static List<Pod> changedPods(Snapshot before, Snapshot now) {
        List<Pod> pods = new ArrayList<>();
        Lookup.changes(before.pods(), now.pods(), (old, fresh) -> {
            if (!old.map(Facts::of).equals(fresh.map(Facts::of))) {
                old.ifPresent(pods::add);
                fresh.ifPresent(pods::add);
            }
        });
        return pods;
    }

    private static Set<String> nodesWithAnotherZone(Snapshot before, Snapshot now) {
        Set<String> names = new HashSet<>();
        Lookup.changes(before.nodes(), now.nodes(), (old, fresh) -> {
            Optional<String> zone = fresh.flatMap(WantedEndpoints::zone);
            if (!old.flatMap(WantedEndpoints::zone).equals(zone)) {
                old.or(() -> fresh).ifPresent(node -> names.add(node.name()));
            }
        });
        return names;
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now) {
        return now.services()
                .find(object)
                .filter(service -> !service.metadata().isTerminating())
                .map(service -> writes(service, now))
                .orElse(List.of());
    }

    private static List<Write> writes(Service service, Snapshot now) {
        List<Pod> pods = now.pods()
                .values()
                .filter(pod -> WantedEndpoints.isSelected(service, pod))
                .toList();
        Map<String, Node> nodes = new HashMap<>();
        for (Pod pod : pods) {
            String name = pod.spec().nodeName();
            now.nodes().find(new NamespacedName("", name)).ifPresent(node -> nodes.put(name, node));
        }
        return EndpointSlices.writes(service, pods, nodes, now.slicesOf(service.key()));
    }
}
