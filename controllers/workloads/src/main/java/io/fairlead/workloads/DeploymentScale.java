package io.fairlead.workloads;

import io.fairlead.api.Deployment;
import io.fairlead.api.EventDraft;
import io.fairlead.api.Kind;
import io.fairlead.api.ReplicaSet;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The writes that give the ReplicaSets of a Deployment their sizes.
final class DeploymentScale {
    private final Deployment deployment;
    private final DeploymentSets sets;

    DeploymentScale(Deployment deployment, DeploymentSets sets) {
        this.deployment = deployment;
        this.sets = sets;
    }

    int replicas() {
        return deployment.replicas();
    }

    /// True if the Deployment was given another size since its ReplicaSets got theirs.
    boolean isDue() {
        return active().stream().anyMatch(set -> number(set, ReplicaSetTree.DESIRED, replicas()) != replicas());
    }

    /// The new size, shared among the sets; nothing else changes.
    List<Write> writes() {
        List<ReplicaSet> active = active();
        List<Write> writes = new ArrayList<>();
        if (active.size() <= 1 || deployment.strategy().recreate()) {
            sets.fresh()
                    .filter(set -> active.isEmpty() || active.contains(set))
                    .or(() -> active.stream().findFirst())
                    .ifPresent(set -> writes.addAll(to(set, replicas())));
            return writes;
        }
        List<Integer> sizes = active.stream().map(ReplicaSet::replicas).toList();
        int most = replicas() == 0 ? 0 : replicas() + deployment.strategy().surge(replicas());
        int before = active.stream()
                .mapToInt(set -> number(set, ReplicaSetTree.MAX, most))
                .max()
                .orElse(most);
        List<Integer> scaled = ProportionalScale.of(sizes, most, before);
        for (int i = 0; i < sizes.size(); i++) {
            writes.addAll(to(active.get(i), scaled.get(i)));
        }
        return writes;
    }

    private List<ReplicaSet> active() {
        return sets.all().stream().filter(set -> set.replicas() > 0).toList();
    }

    private static int number(ReplicaSet set, String annotation, int otherwise) {
        String text = set.metadata().annotations().getOrDefault(annotation, "");
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : otherwise;
    }

    /// The set of the newest template with this size: made, or changed where it is not as it should be.
    List<Write> fresh(int replicas) {
        long revision = sets.revision();
        return sets.fresh()
                .map(set -> to(set, replicas, ReplicaSetTree.missing(deployment, set, revision)))
                .orElseGet(() -> List.of(
                        new Write.Create(Kind.REPLICA_SET, ReplicaSetTree.of(deployment, replicas, revision)),
                        report("up", ReplicaSetTree.name(deployment).name(), replicas)));
    }

    List<Write> to(ReplicaSet set, int replicas) {
        return to(set, replicas, Map.of());
    }

    private List<Write> to(ReplicaSet set, int replicas, Map<String, String> annotations) {
        ObjectNode patch = DeploymentController.patchOf(set);
        Map<String, String> sizes = ReplicaSetTree.sizes(deployment);
        boolean scaled = set.replicas() != replicas;
        boolean waits = deployment.strategy().minReadySeconds() != set.minReadySeconds();
        boolean told = set.metadata().annotations().entrySet().containsAll(sizes.entrySet());
        if (!scaled && !waits && annotations.isEmpty() && (told || set.replicas() == 0)) {
            return List.of();
        }
        ObjectNode notes = patch.withObject("metadata").putObject("annotations");
        annotations.forEach(notes::put);
        sizes.forEach(notes::put);
        patch.putObject("spec")
                .put("replicas", replicas)
                .put("minReadySeconds", deployment.strategy().minReadySeconds());
        Write write = new Write.MergePatch(Kind.REPLICA_SET, set.key(), patch);
        return scaled
                ? List.of(
                        write,
                        report(
                                replicas > set.replicas() ? "up" : "down",
                                set.key().name(),
                                replicas))
                : List.of(write);
    }

    private Write report(String direction, String set, int replicas) {
        return new Write.Report(new EventDraft(
                Kind.DEPLOYMENT,
                deployment.key(),
                deployment.metadata().uid(),
                "Normal",
                "ScalingReplicaSet",
                "Scaled %s replica set %s to %d".formatted(direction, set, replicas)));
    }
}
