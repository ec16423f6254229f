package io.fairlead.up;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What changed in the cluster from one Snapshot to the next, for people: pods, and where Services lead. Pure.
final class StateLines {
    private StateLines() {}

    static List<String> between(Snapshot before, Snapshot after) {
        List<String> lines = new ArrayList<>();
        changedPods(before, after).forEach(name -> {
            Optional<String> line = state(after, name);
            if (!line.equals(state(before, name))) {
                lines.add("pod %s: %s".formatted(name, line.orElse("gone")));
            }
        });
        after.servicesChangedSince(before).stream().sorted().forEach(name -> {
            String line = endpoints(after, name);
            if (!line.equals(endpoints(before, name))) {
                lines.add("service %s: %s".formatted(name, line));
            }
        });
        return lines;
    }

    private static Set<NamespacedName> changedPods(Snapshot before, Snapshot after) {
        Set<NamespacedName> changed = new TreeSet<>();
        after.pods().changedSince(before.pods(), changed::add);
        return changed;
    }

    private static Optional<String> state(Snapshot snapshot, NamespacedName name) {
        return snapshot.pods().find(name).map(StateLines::state);
    }

    private static String state(Pod pod) {
        if (pod.spec().nodeName().isEmpty()) {
            return "waits for a node";
        }
        String state = pod.metadata().isTerminating() ? "ends" : pod.status().ready() ? "ready" : "not ready";
        String addresses =
                pod.status().podIps().stream().limit(1).map(ip -> " at " + ip).collect(Collectors.joining());
        return "%s on %s%s".formatted(state, pod.spec().nodeName(), addresses);
    }

    private static String endpoints(Snapshot snapshot, NamespacedName service) {
        if (!snapshot.services().contains(service)) {
            return "gone";
        }
        List<Ip> ready = snapshot.slicesOf(service).stream()
                .flatMap(slice -> slice.endpoints().stream())
                .filter(EndpointSlice.Endpoint::ready)
                .flatMap(endpoint -> endpoint.addresses().stream().limit(1))
                .sorted()
                .distinct()
                .toList();
        return ready.isEmpty()
                ? "leads nowhere"
                : "leads to " + ready.stream().map(Ip::toString).collect(Collectors.joining(", "));
    }
}
