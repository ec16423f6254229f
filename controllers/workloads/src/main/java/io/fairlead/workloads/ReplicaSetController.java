package io.fairlead.workloads;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Keeps as many pods of a ReplicaSet's template as it asks for, and counts them in its status.
///
/// ReplicationControllers are kept in the same way, by one of its own.
public final class ReplicaSetController implements Controller {
    private final Kind kind;

    public ReplicaSetController() {
        this(Kind.REPLICA_SET);
    }

    private ReplicaSetController(Kind kind) {
        this.kind = kind;
    }

    /// The one of ReplicationControllers.
    public static ReplicaSetController ofReplicationControllers() {
        return new ReplicaSetController(Kind.REPLICATION_CONTROLLER);
    }

    private PersistentMap<NamespacedName, ReplicaSet> sets(Snapshot now) {
        return kind.equals(Kind.REPLICA_SET) ? now.replicaSets() : now.replicationControllers();
    }

    @Override
    public String name() {
        return kind.singular();
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = Lookup.changed(kind, before, now);
        changed.addAll(Owners.ofChangedPods(kind, before, now));
        changed.addAll(Orphans.adopters(before, now, sets(now)));
        return changed;
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return sets(now).find(object).map(set -> writes(set, now, moment)).orElse(List.of());
    }

    private static List<Write> writes(ReplicaSet set, Snapshot now, Moment moment) {
        List<Pod> orphans = Orphans.of(set, now);
        List<Pod> pods =
                Stream.concat(activePods(set, now).stream(), orphans.stream()).toList();
        List<Write> writes = new ArrayList<>(releases(set, now).toList());
        orphans.forEach(pod -> writes.add(Owners.adopt(pod, set)));
        writes.addAll(writes(set, pods, moment));
        return writes;
    }

    /// A pod whose labels a user changed, to take it out of service and look at it, is the set's no longer.
    private static Stream<Write> releases(ReplicaSet set, Snapshot now) {
        return now.podsOf(set).stream()
                .filter(pod -> !pod.metadata().isTerminating() && !isSelected(set, pod))
                .map(pod -> Owners.release(pod, set));
    }

    private static boolean isSelected(ReplicaSet set, Pod pod) {
        return set.selector().matches(pod.metadata().labels());
    }

    @Override
    public Optional<Duration> nextLook(NamespacedName object, Snapshot now, Moment moment) {
        return sets(now)
                .find(object)
                .flatMap(set -> new Availability(set.minReadySeconds(), moment).next(activePods(set, now)));
    }

    private static List<Pod> activePods(ReplicaSet set, Snapshot now) {
        return now.podsOf(set).stream()
                .filter(pod -> !pod.metadata().isTerminating() && !pod.status().isOver() && isSelected(set, pod))
                .toList();
    }

    private static List<Write> writes(ReplicaSet set, List<Pod> pods, Moment moment) {
        List<Write> writes = new ArrayList<>();
        if (!set.metadata().isTerminating()) {
            for (int i = pods.size(); i < set.replicas(); i++) {
                writes.add(new Write.Create(Kind.POD, pod(set)));
            }
            pods.stream()
                    .sorted(firstToGo(pods))
                    .limit(Math.max(0, pods.size() - set.replicas()))
                    .map(pod ->
                            new Write.Delete(Kind.POD, pod.key(), pod.metadata().uid()))
                    .forEach(writes::add);
        }
        Statuses.write(set, set.status(), status(set, pods, moment)).ifPresent(writes::add);
        return writes;
    }

    /// Who goes first when there are too many: no node yet, not ready, cheapest to lose, most of them on one node,
    /// the youngest.
    private static Comparator<Pod> firstToGo(List<Pod> pods) {
        Map<String, Long> onNode =
                pods.stream().collect(Collectors.groupingBy(pod -> pod.spec().nodeName(), Collectors.counting()));
        return Comparator.comparing((Pod pod) -> !pod.spec().nodeName().isEmpty())
                .thenComparing(pod -> pod.status().ready())
                .thenComparingInt(ReplicaSetController::deletionCost)
                .thenComparing(pod -> onNode.get(pod.spec().nodeName()), Comparator.reverseOrder())
                .thenComparing(pod -> pod.metadata().creationTimestamp(), Comparator.reverseOrder())
                .thenComparing(Pod::key);
    }

    private static int deletionCost(Pod pod) {
        String cost = pod.metadata().annotations().getOrDefault("controller.kubernetes.io/pod-deletion-cost", "");
        return cost.matches("-?[0-9]{1,9}") ? Integer.parseInt(cost) : 0;
    }

    private static ObjectNode pod(ReplicaSet set) {
        ObjectNode pod = PodTree.of(set, set.template());
        PodTree.metadata(pod).put("generateName", set.key().name() + "-");
        return pod;
    }

    private static ObjectNode status(ReplicaSet set, List<Pod> pods, Moment moment) {
        return Statuses.observed(set)
                .put("replicas", pods.size())
                .put("fullyLabeledReplicas", pods.size())
                .put("readyReplicas", Statuses.ready(pods))
                .put("availableReplicas", new Availability(set.minReadySeconds(), moment).count(pods));
    }
}
