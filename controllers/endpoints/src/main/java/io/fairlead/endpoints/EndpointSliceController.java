package io.fairlead.endpoints;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Write;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Keeps the EndpointSlices of every Service that selects pods.
public final class EndpointSliceController implements Controller {
    private final int sliceSize;

    /// `sliceSize` is how many endpoints a slice has at most.
    public EndpointSliceController(int sliceSize) {
        this.sliceSize = sliceSize;
    }

    @Override
    public String name() {
        return "endpointslice";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = now.servicesChangedSince(before);
        for (Pod pod : PodFacts.changedPods(before, now)) {
            now.servicesThatSelect(pod).forEach(service -> changed.add(service.key()));
        }
        Set<String> moved = movedNodes(before, now);
        if (!moved.isEmpty()) {
            now.endpointSlices().forEach((_, slice) -> {
                if (slice.endpoints().stream().anyMatch(endpoint -> moved.contains(endpoint.nodeName()))) {
                    changed.add(slice.service());
                }
            });
            now.services().values().filter(Hints::areByShare).forEach(service -> changed.add(service.key()));
        }
        return changed;
    }

    /// The nodes that stand elsewhere, or have another part of the cluster's CPUs.
    private static Set<String> movedNodes(Snapshot before, Snapshot now) {
        record Place(String zone, int cpuMillis, boolean ready) {
            static Place of(Node node) {
                return new Place(node.zone(), node.cpuMillis(), node.ready());
            }
        }
        Set<String> names = new HashSet<>();
        Lookup.changes(before.nodes(), now.nodes(), (old, fresh) -> {
            if (!old.map(Place::of).equals(fresh.map(Place::of))) {
                old.or(() -> fresh).ifPresent(node -> names.add(node.name()));
            }
        });
        return names;
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return now.services().find(object).map(service -> writes(service, now)).orElse(List.of());
    }

    private List<Write> writes(Service service, Snapshot now) {
        List<Pod> pods = now.podsSelectedBy(service.key().namespace(), service.selector());
        Map<String, Node> nodes = new HashMap<>();
        if (Hints.areByShare(service)) {
            now.nodes().forEach((_, node) -> nodes.put(node.name(), node));
        }
        for (Pod pod : pods) {
            String name = pod.spec().nodeName();
            now.nodes().find(new NamespacedName("", name)).ifPresent(node -> nodes.put(name, node));
        }
        return EndpointSlices.writes(service, pods, nodes, now.slicesOf(service.key()), sliceSize);
    }
}
