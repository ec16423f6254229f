package io.fairlead.workloads;

import io.fairlead.api.DaemonSet;
import io.fairlead.api.Json;
import io.fairlead.api.Node;
import io.fairlead.api.Placement;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Moment;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The pods of a DaemonSet node by node.
///
/// @param wanted the nodes that should have one
/// @param stray  pods on nodes that they must leave
record DaemonPods(DaemonSet set, List<Place> wanted, List<Pod> stray, Revisions revisions, Availability availability) {
    /// What a daemon bears that others do not: it is there to serve a node in any state.
    private static final List<String> BORNE = List.of(
            Node.Taint.NOT_READY + ":" + Node.Taint.NO_EXECUTE,
            Node.Taint.UNREACHABLE + ":" + Node.Taint.NO_EXECUTE,
            "node.kubernetes.io/disk-pressure:" + Node.Taint.NO_SCHEDULE,
            "node.kubernetes.io/memory-pressure:" + Node.Taint.NO_SCHEDULE,
            "node.kubernetes.io/pid-pressure:" + Node.Taint.NO_SCHEDULE,
            Node.Taint.UNSCHEDULABLE + ":" + Node.Taint.NO_SCHEDULE);

    /// A node and the pods it has, oldest first; those that end are among them.
    record Place(String node, List<Pod> pods) {
        List<Pod> staying() {
            return pods.stream().filter(pod -> !pod.metadata().isTerminating()).toList();
        }
    }

    static DaemonPods of(DaemonSet set, Snapshot now, Revisions revisions, Moment moment) {
        Map<String, List<Pod>> byNode = now.podsOf(set).stream()
                .sorted(Comparator.comparing((Pod pod) -> pod.metadata().creationTimestamp())
                        .thenComparing(Pod::key))
                .collect(Collectors.groupingBy(pod -> pod.spec().nodeName(), TreeMap::new, Collectors.toList()));
        Placement placement = Placement.of(tolerant(set).path("spec"));
        List<Place> places = now.nodes()
                .values()
                .filter(node -> placement.selects(node) && !node.metadata().isTerminating())
                .filter(node -> mayBe(placement, node, byNode.containsKey(node.name())))
                .sorted(Comparator.comparing(Node::name))
                .map(node -> new Place(node.name(), byNode.getOrDefault(node.name(), List.of())))
                .toList();
        places.forEach(place -> byNode.remove(place.node));
        List<Pod> stray = byNode.values().stream().flatMap(List::stream).toList();
        Availability availability = new Availability(set.update().minReadySeconds(), moment);
        return new DaemonPods(set, places, stray, revisions, availability);
    }

    /// A pod that is there goes only before a taint that drives pods away.
    private static boolean mayBe(Placement placement, Node node, boolean isThere) {
        return placement
                .untolerated(node)
                .noneMatch(taint -> !isThere || taint.effect().equals(Node.Taint.NO_EXECUTE));
    }

    private static ObjectNode tolerant(DaemonSet set) {
        ObjectNode template = set.template() instanceof ObjectNode given ? given.deepCopy() : Json.object();
        ArrayNode tolerations = template.withObjectProperty("spec").withArrayProperty("tolerations");
        for (String borne : BORNE) {
            int colon = borne.indexOf(':');
            tolerations
                    .addObject()
                    .put("key", borne.substring(0, colon))
                    .put("operator", "Exists")
                    .put("effect", borne.substring(colon + 1));
        }
        return template;
    }

    /// A pod for a node, of the newest template.
    ObjectNode made(String node) {
        ObjectNode pod = PodTree.of(set, tolerant(set));
        PodTree.metadata(pod).put("generateName", set.key().name() + "-");
        PodTree.label(pod, Revisions.LABEL, revisions.newest());
        PodTree.spec(pod).put("nodeName", node);
        return pod;
    }

    boolean isNewest(Pod pod) {
        return Revisions.of(pod).equals(revisions.newest());
    }

    boolean isAvailable(Pod pod) {
        return availability.isAvailable(pod) && !pod.metadata().isTerminating();
    }

    ObjectNode status() {
        int available = count(place -> place.pods.stream().anyMatch(this::isAvailable));
        return Statuses.observed(set)
                .put("desiredNumberScheduled", wanted.size())
                .put("currentNumberScheduled", count(place -> !place.pods.isEmpty()))
                .put("numberMisscheduled", stray.size())
                .put("numberReady", count(place -> Statuses.ready(place.staying()) > 0))
                .put(
                        "updatedNumberScheduled",
                        count(place -> place.staying().stream().anyMatch(this::isNewest)))
                .put("numberAvailable", available)
                .put("numberUnavailable", wanted.size() - available);
    }

    private int count(Predicate<Place> rule) {
        return (int) wanted.stream().filter(rule).count();
    }
}
