package io.fairlead.workloads;

import io.fairlead.api.Deployment;
import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ReplicaSet;
import io.fairlead.api.Snapshot;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The ReplicaSets of a Deployment: the one of its template as it is now, if there is one, and the older ones, oldest
/// first.
record DeploymentSets(Optional<ReplicaSet> fresh, List<ReplicaSet> old, List<ReplicaSet> all) {

    static DeploymentSets of(Deployment deployment, Snapshot now) {
        NamespacedName freshName = ReplicaSetTree.name(deployment);
        List<ReplicaSet> all = now.replicaSetsOf(deployment).stream()
                .filter(set -> !set.metadata().isTerminating())
                .sorted(Comparator.comparing((ReplicaSet set) -> set.metadata().creationTimestamp())
                        .thenComparing(ReplicaSet::key))
                .toList();
        return new DeploymentSets(
                all.stream().filter(set -> set.key().equals(freshName)).findFirst(),
                all.stream().filter(set -> !set.key().equals(freshName)).toList(),
                all);
    }

    /// The number of the newest rollout: the template of `fresh` is its content, also if it was another's before.
    long revision() {
        long newestOld = old.stream().mapToLong(DeploymentSets::revision).max().orElse(0);
        long known = fresh.map(DeploymentSets::revision).orElse(0L);
        return known > newestOld ? known : newestOld + 1;
    }

    static long revision(ReplicaSet set) {
        String text = set.metadata().annotations().getOrDefault(ReplicaSetTree.REVISION, "");
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    /// The sum of a count in the status of all sets.
    int sum(String field) {
        return all.stream().mapToInt(set -> count(set, field)).sum();
    }

    static int count(ReplicaSet set, String field) {
        return Json.number(set.status(), 0, field);
    }
}
