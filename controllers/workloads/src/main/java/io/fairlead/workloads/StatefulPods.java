package io.fairlead.workloads;

import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.api.StatefulSet;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// The pods of a StatefulSet by their numbers, and what can be said of them.
final class StatefulPods {
    private final StatefulSet set;
    private final NavigableMap<Integer, Pod> byNumber = new TreeMap<>();
    private final Revisions revisions;
    private final Availability availability;

    StatefulPods(StatefulSet set, List<Pod> pods, Revisions revisions, Availability availability) {
        this.set = set;
        this.revisions = revisions;
        this.availability = availability;
        pods.forEach(pod -> StatefulSetController.number(set, pod).ifPresent(number -> byNumber.put(number, pod)));
    }

    Collection<Pod> all() {
        return byNumber.values();
    }

    Optional<Pod> find(int number) {
        return Optional.ofNullable(byNumber.get(number));
    }

    /// The numbers of the pods that are too many, highest first.
    List<Integer> surplus() {
        return byNumber.descendingKeySet().stream()
                .filter(number -> number >= set.replicas().end()
                        || number < set.replicas().first())
                .toList();
    }

    boolean isHealthy(Pod pod) {
        return !pod.metadata().isTerminating()
                && pod.status().phase().equals("Running")
                && availability.isAvailable(pod);
    }

    boolean isNewest(Pod pod) {
        return Revisions.of(pod).equals(revisions.newest());
    }

    /// The revision that all pods had before the update that is under way.
    String currentRevision() {
        String known = Json.text(set.status(), "currentRevision");
        return revisions.has(known) ? known : revisions.newest();
    }

    /// The pod of a number as it is to be made: of the old template where the update has not come to it yet.
    ObjectNode made(int number) {
        boolean kept = !set.update().onDelete()
                && number < set.replicas().first() + set.update().partition();
        String revision = kept ? currentRevision() : revisions.newest();
        ObjectNode pod = PodTree.of(set, revisions.template(revision));
        String name = set.key().name() + "-" + number;
        PodTree.metadata(pod).put("name", name);
        PodTree.label(pod, Revisions.LABEL, revision);
        PodTree.label(pod, "statefulset.kubernetes.io/pod-name", name);
        PodTree.label(pod, "apps.kubernetes.io/pod-index", Integer.toString(number));
        ObjectNode spec = PodTree.spec(pod).put("hostname", name);
        if (!set.serviceName().isEmpty()) {
            spec.put("subdomain", set.serviceName());
        }
        new StatefulClaims(set).mount(spec, number);
        return pod;
    }

    ObjectNode status() {
        List<Pod> alive = all().stream()
                .filter(pod -> !pod.metadata().isTerminating() && !pod.status().isOver())
                .toList();
        int updated = (int) alive.stream().filter(this::isNewest).count();
        boolean done = !set.update().onDelete()
                && updated == all().size()
                && updated == set.replicas().count()
                && alive.stream().allMatch(this::isHealthy);
        String current = done ? revisions.newest() : currentRevision();
        int currents = (int)
                alive.stream().filter(pod -> Revisions.of(pod).equals(current)).count();
        return Statuses.observed(set)
                .put("replicas", all().size())
                .put("readyReplicas", Statuses.ready(alive))
                .put("availableReplicas", availability.count(alive))
                .put("currentReplicas", currents)
                .put("updatedReplicas", updated)
                .put("currentRevision", current)
                .put("updateRevision", revisions.newest())
                .put("collisionCount", 0);
    }
}
