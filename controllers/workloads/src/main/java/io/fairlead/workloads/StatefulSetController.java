package io.fairlead.workloads;

import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.api.StatefulSet;
import io.fairlead.runner.Controller;
import io.fairlead.runner.Lookup;
import io.fairlead.runner.Moment;
import io.fairlead.runner.Owners;
import io.fairlead.runner.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Keeps the numbered pods of a StatefulSet, and brings them to its newest template one after the other.
public final class StatefulSetController implements Controller {
    @Override
    public String name() {
        return "statefulset";
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = Lookup.changed(Kind.STATEFUL_SET, before, now);
        changed.addAll(Owners.ofChangedPods(Kind.STATEFUL_SET, before, now));
        for (NamespacedName name : Lookup.changed(Kind.CONTROLLER_REVISION, before, now)) {
            Lookup.find(now, Kind.CONTROLLER_REVISION, name)
                    .or(() -> Lookup.find(before, Kind.CONTROLLER_REVISION, name))
                    .flatMap(revision -> Owners.controllerOf(revision, Kind.STATEFUL_SET))
                    .ifPresent(changed::add);
        }
        Lookup.changes(before.claims(), now.claims(), (old, fresh) -> {
            if (fresh.isEmpty()) {
                old.ifPresent(claim -> addOwner(claim.key(), now, changed));
            }
        });
        return changed;
    }

    /// A pod may wait for an old claim of its name to go.
    private static void addOwner(NamespacedName claim, Snapshot now, Set<NamespacedName> changed) {
        now.statefulSets()
                .values()
                .filter(set -> !set.claims().templates().isEmpty()
                        && set.key().namespace().equals(claim.namespace())
                        && claim.name().contains("-" + set.key().name() + "-"))
                .forEach(set -> changed.add(set.key()));
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return now.statefulSets()
                .find(object)
                .map(set -> writes(set, now, moment))
                .orElse(List.of());
    }

    @Override
    public Optional<Duration> nextLook(NamespacedName object, Snapshot now, Moment moment) {
        return now.statefulSets()
                .find(object)
                .flatMap(set -> new Availability(set.update().minReadySeconds(), moment).next(now.podsOf(set)));
    }

    private static List<Write> writes(StatefulSet set, Snapshot now, Moment moment) {
        Revisions revisions = Revisions.of(set, set.template(), now);
        StatefulPods pods = new StatefulPods(
                set, now.podsOf(set), revisions, new Availability(set.update().minReadySeconds(), moment));
        List<Write> writes = new ArrayList<>();
        if (!set.metadata().isTerminating()) {
            revisions.recorded().ifPresent(writes::add);
            writes.addAll(new StatefulPlan(set, pods, now).writes());
            new StatefulClaims(set).surplus(now).forEach(writes::add);
            writes.addAll(revisions.forgotten(set.update().historyLimit(), used(pods)));
        }
        Statuses.write(set, set.status(), pods.status()).ifPresent(writes::add);
        return writes;
    }

    private static Set<String> used(StatefulPods pods) {
        Set<String> used = new HashSet<>(Set.of(pods.currentRevision()));
        pods.all().stream().map(Revisions::of).forEach(used::add);
        return used;
    }

    /// The number of a pod, if its name is that of the set with a number.
    static Optional<Integer> number(StatefulSet set, Pod pod) {
        String prefix = set.key().name() + "-";
        String name = pod.key().name();
        return name.startsWith(prefix) && name.substring(prefix.length()).matches("0|[1-9][0-9]{0,8}")
                ? Optional.of(Integer.parseInt(name.substring(prefix.length())))
                : Optional.empty();
    }
}
