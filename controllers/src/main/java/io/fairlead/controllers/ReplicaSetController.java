package io.fairlead.controllers;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.ReplicaSet;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.ObjectNode;

/// Keeps as many pods of a ReplicaSet's template as it asks for, and counts them in its status.
public final class ReplicaSetController implements Controller {
    /// Who goes first when there are too many: no node yet, not ready, the youngest.
    private static final Comparator<Pod> FIRST_TO_GO = Comparator.comparing(
                    (Pod pod) -> !pod.spec().nodeName().isEmpty())
            .thenComparing(pod -> pod.status().ready())
            .thenComparing(pod -> pod.metadata().creationTimestamp(), Comparator.reverseOrder())
            .thenComparing(Pod::key);

    @Override
    public String name() {
        return "replicaset";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = new TreeSet<>();
        now.replicaSets().changedSince(before.replicaSets(), changed::add);
        Lookup.changes(before.pods(), now.pods(), (old, fresh) -> {
            old.flatMap(pod -> Owners.controllerOf(pod, Kind.REPLICA_SET)).ifPresent(changed::add);
            fresh.flatMap(pod -> Owners.controllerOf(pod, Kind.REPLICA_SET)).ifPresent(changed::add);
        });
        return changed;
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return now.replicaSets()
                .find(object)
                .map(set -> writes(set, activePods(set, now)))
                .orElse(List.of());
    }

    private static List<Pod> activePods(ReplicaSet set, Snapshot now) {
        return now.pods()
                .values()
                .filter(pod -> pod.metadata().isControlledBy(set.metadata()))
                .filter(pod -> !pod.metadata().isTerminating() && !pod.status().isOver())
                .toList();
    }

    private static List<Write> writes(ReplicaSet set, List<Pod> pods) {
        List<Write> writes = new ArrayList<>();
        if (!set.metadata().isTerminating()) {
            for (int i = pods.size(); i < set.replicas(); i++) {
                writes.add(new Write.Create(Kind.POD, pod(set)));
            }
            pods.stream()
                    .sorted(FIRST_TO_GO)
                    .limit(Math.max(0, pods.size() - set.replicas()))
                    .map(pod ->
                            new Write.Delete(Kind.POD, pod.key(), pod.metadata().uid()))
                    .forEach(writes::add);
        }
        status(set, pods).ifPresent(writes::add);
        return writes;
    }

    private static ObjectNode pod(ReplicaSet set) {
        ObjectNode pod = Json.object().put("apiVersion", Kind.POD.apiVersion()).put("kind", Kind.POD.name());
        ObjectNode metadata = pod.putObject("metadata");
        metadata.put("generateName", set.key().name() + "-")
                .put("namespace", set.key().namespace());
        for (String field : List.of("labels", "annotations")) {
            if (Json.at(set.template(), "metadata", field) instanceof ObjectNode given) {
                metadata.set(field, given.deepCopy());
            }
        }
        metadata.putArray("ownerReferences").add(Owners.reference(set));
        pod.set("spec", set.template().path("spec").deepCopy());
        return pod;
    }

    private static Optional<Write> status(ReplicaSet set, List<Pod> pods) {
        int ready = (int) pods.stream().filter(pod -> pod.status().ready()).count();
        ObjectNode status = Json.object()
                .put("replicas", pods.size())
                .put("readyReplicas", ready)
                .put("availableReplicas", ready); // minReadySeconds is not kept: ready is available
        return Statuses.differ(set.status(), status)
                ? Optional.of(new Write.UpdateStatus(Kind.REPLICA_SET, set.key(), status))
                : Optional.empty();
    }
}
