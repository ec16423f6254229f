package io.fairlead.workloads;

import io.fairlead.api.Deployment;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.ReplicaSet;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Owners;
import io.fairlead.runner.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Keeps one ReplicaSet for the newest template of a Deployment, and moves the replicas over from the older ones.
public final class DeploymentController implements Controller {
    @Override
    public String name() {
        return "deployment";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = Lookup.changed(Kind.DEPLOYMENT, before, now);
        Lookup.changes(before.replicaSets(), now.replicaSets(), (old, fresh) -> {
            old.flatMap(set -> Owners.controllerOf(set, Kind.DEPLOYMENT)).ifPresent(changed::add);
            fresh.flatMap(set -> Owners.controllerOf(set, Kind.DEPLOYMENT)).ifPresent(changed::add);
        });
        Lookup.changes(before.pods(), now.pods(), (old, fresh) -> {
            if (fresh.isEmpty()) { // a Recreate waits for the last of them
                old.flatMap(pod -> deploymentOf(pod, before)).ifPresent(changed::add);
            }
        });
        return changed;
    }

    private static Optional<NamespacedName> deploymentOf(Pod pod, Snapshot before) {
        return Owners.controllerOf(pod, Kind.REPLICA_SET)
                .flatMap(set -> before.replicaSets().find(set))
                .flatMap(set -> Owners.controllerOf(set, Kind.DEPLOYMENT))
                .filter(name -> before.deployments()
                        .find(name)
                        .filter(deployment -> deployment.strategy().recreate())
                        .isPresent());
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return now.deployments()
                .find(object)
                .map(deployment -> writes(deployment, now, moment))
                .orElse(List.of());
    }

    @Override
    public Optional<Duration> nextLook(NamespacedName object, Snapshot now, Moment moment) {
        return now.deployments()
                .find(object)
                .flatMap(deployment -> DeploymentProgress.untilDeadline(deployment, moment))
                .filter(Duration::isPositive);
    }

    private static List<Write> writes(Deployment deployment, Snapshot now, Moment moment) {
        DeploymentSets sets = DeploymentSets.of(deployment, now);
        List<Write> writes = new ArrayList<>();
        if (!deployment.metadata().isTerminating()) {
            DeploymentScale scale = new DeploymentScale(deployment, sets);
            if (deployment.strategy().paused() || scale.isDue()) {
                writes.addAll(scale.writes());
            } else if (deployment.strategy().recreate()) {
                writes.addAll(recreated(scale, sets, now));
            } else {
                writes.addAll(rolled(deployment, scale, sets));
            }
            writes.addAll(forgotten(deployment, sets.old()));
            revision(deployment, sets).ifPresent(writes::add);
        }
        Statuses.write(deployment, deployment.status(), DeploymentStatus.of(deployment, sets, moment))
                .ifPresent(writes::add);
        return writes;
    }

    private static List<Write> rolled(Deployment deployment, DeploymentScale scale, DeploymentSets sets) {
        int replicas = deployment.replicas();
        RollingUpdate update = new RollingUpdate(
                new RollingUpdate.Bounds(
                        replicas,
                        replicas - deployment.strategy().unavailable(replicas),
                        replicas + deployment.strategy().surge(replicas)),
                sets.fresh().map(DeploymentController::size).orElse(new RollingUpdate.Size(0, 0)),
                sets.old().stream().map(DeploymentController::size).toList());
        List<Write> writes = new ArrayList<>(scale.fresh(update.freshReplicas()));
        List<Integer> sizes = update.oldReplicas();
        for (int i = 0; i < sizes.size(); i++) {
            writes.addAll(scale.to(sets.old().get(i), sizes.get(i)));
        }
        return writes;
    }

    /// First the old pods, to the last; then the new ones.
    private static List<Write> recreated(DeploymentScale scale, DeploymentSets sets, Snapshot now) {
        List<Write> writes = new ArrayList<>();
        sets.old().forEach(set -> writes.addAll(scale.to(set, 0)));
        boolean gone = sets.old().stream()
                .flatMap(set -> now.podsOf(set).stream())
                .allMatch(pod -> pod.status().isOver());
        if (writes.isEmpty() && gone) {
            writes.addAll(scale.fresh(scale.replicas()));
        }
        return writes;
    }

    private static RollingUpdate.Size size(ReplicaSet set) {
        return new RollingUpdate.Size(set.replicas(), DeploymentSets.count(set, "availableReplicas"));
    }

    private static List<Write> forgotten(Deployment deployment, List<ReplicaSet> old) {
        List<ReplicaSet> empty = old.stream()
                .filter(set -> set.replicas() == 0 && DeploymentSets.count(set, "replicas") == 0)
                .sorted(Comparator.comparingLong(DeploymentSets::revision))
                .toList();
        return empty.stream()
                .limit(Math.max(0, empty.size() - deployment.strategy().historyLimit()))
                .<Write>map(set -> new Write.Delete(
                        Kind.REPLICA_SET, set.key(), set.metadata().uid()))
                .toList();
    }

    /// The number of the rollout, for those who look at the Deployment alone.
    private static Optional<Write> revision(Deployment deployment, DeploymentSets sets) {
        String wanted = Long.toString(sets.revision());
        if (sets.fresh().isEmpty()
                || wanted.equals(deployment.metadata().annotations().get(ReplicaSetTree.REVISION))) {
            return Optional.empty();
        }
        ObjectNode patch = patchOf(deployment);
        patch.withObject("metadata").putObject("annotations").put(ReplicaSetTree.REVISION, wanted);
        return Optional.of(new Write.MergePatch(Kind.DEPLOYMENT, deployment.key(), patch));
    }

    /// A patch of this state of the object and no other.
    static ObjectNode patchOf(KubernetesObject object) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata")
                .put("resourceVersion", object.metadata().revision().toString());
        return patch;
    }
}
