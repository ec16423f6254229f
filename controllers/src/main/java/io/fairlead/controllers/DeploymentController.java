package io.fairlead.controllers;

import io.fairlead.api.Deployment;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ReplicaSet;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.ObjectNode;

/// Keeps one ReplicaSet for the newest template of a Deployment, and moves the replicas over from the older ones.
public final class DeploymentController implements Controller {
    static final String HASH_LABEL = "pod-template-hash";

    /// How many old, empty ReplicaSets stay as history.
    private static final int HISTORY = 10;

    @Override
    public String name() {
        return "deployment";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = new TreeSet<>();
        now.deployments().changedSince(before.deployments(), changed::add);
        Lookup.changes(before.replicaSets(), now.replicaSets(), (old, fresh) -> {
            old.flatMap(set -> Owners.controllerOf(set, Kind.DEPLOYMENT)).ifPresent(changed::add);
            fresh.flatMap(set -> Owners.controllerOf(set, Kind.DEPLOYMENT)).ifPresent(changed::add);
        });
        return changed;
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return now.deployments()
                .find(object)
                .map(deployment -> writes(deployment, ownSets(deployment, now)))
                .orElse(List.of());
    }

    private static List<ReplicaSet> ownSets(Deployment deployment, Snapshot now) {
        return now.replicaSets()
                .values()
                .filter(set -> set.metadata().isControlledBy(deployment.metadata()))
                .filter(set -> !set.metadata().isTerminating())
                .sorted(Comparator.comparing((ReplicaSet set) -> set.metadata().creationTimestamp())
                        .thenComparing(ReplicaSet::key))
                .toList();
    }

    private static List<Write> writes(Deployment deployment, List<ReplicaSet> sets) {
        String hash = TemplateHash.of(deployment.template());
        NamespacedName freshName = new NamespacedName(
                deployment.key().namespace(), deployment.key().name() + "-" + hash);
        Optional<ReplicaSet> fresh =
                sets.stream().filter(set -> set.key().equals(freshName)).findFirst();
        List<ReplicaSet> old =
                sets.stream().filter(set -> !set.key().equals(freshName)).toList();
        List<Write> writes = new ArrayList<>();
        if (!deployment.metadata().isTerminating()) {
            writes.addAll(rollout(deployment, fresh, old));
            writes.addAll(forgotten(old));
        }
        DeploymentStatus.write(deployment, fresh, sets).ifPresent(writes::add);
        return writes;
    }

    private static List<Write> rollout(Deployment deployment, Optional<ReplicaSet> fresh, List<ReplicaSet> old) {
        RollingUpdate update = new RollingUpdate(
                deployment.replicas(),
                fresh.map(DeploymentController::size).orElse(new RollingUpdate.Size(0, 0)),
                old.stream().map(DeploymentController::size).toList());
        List<Write> writes = new ArrayList<>();
        writes.addAll(fresh.map(set -> scaled(set, update.freshReplicas()))
                .orElseGet(() -> List.of(
                        new Write.Create(Kind.REPLICA_SET, ReplicaSetTree.of(deployment, update.freshReplicas())))));
        List<Integer> sizes = update.oldReplicas();
        for (int i = 0; i < old.size(); i++) {
            writes.addAll(scaled(old.get(i), sizes.get(i)));
        }
        return writes;
    }

    private static RollingUpdate.Size size(ReplicaSet set) {
        return new RollingUpdate.Size(set.replicas(), Json.number(set.status(), 0, "availableReplicas"));
    }

    private static List<Write> scaled(ReplicaSet set, int replicas) {
        if (set.replicas() == replicas) {
            return List.of();
        }
        ObjectNode patch = Json.object();
        patch.putObject("metadata")
                .put("resourceVersion", set.metadata().revision().toString());
        patch.putObject("spec").put("replicas", replicas);
        return List.of(new Write.MergePatch(Kind.REPLICA_SET, set.key(), patch));
    }

    private static List<Write> forgotten(List<ReplicaSet> old) {
        List<ReplicaSet> empty = old.stream()
                .filter(set -> set.replicas() == 0 && Json.number(set.status(), 0, "replicas") == 0)
                .toList();
        return empty.stream()
                .limit(Math.max(0, empty.size() - HISTORY))
                .<Write>map(set -> new Write.Delete(
                        Kind.REPLICA_SET, set.key(), set.metadata().uid()))
                .toList();
    }
}
