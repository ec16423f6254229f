package io.fairlead.workloads;

import io.fairlead.api.Kind;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.api.StatefulSet;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What to do next with the pods of a StatefulSet: make those that are missing, lowest number first; end those that are
/// too many, highest first; then bring them to the newest template, highest first.
///
/// In order, nothing happens to a pod before all those it has to wait for are healthy: each step is the first thing
/// that is not as it should be. A name is free only when its former pod is gone altogether, so no pod runs twice.
record StatefulPlan(StatefulSet set, StatefulPods pods, Snapshot now) {

    List<Write> writes() {
        List<Write> writes = new ArrayList<>();
        boolean settled = fill(writes) && shrink(writes);
        if (settled && writes.isEmpty() && !set.update().onDelete()) {
            update(writes);
        }
        return writes;
    }

    /// True if no pod is missing, and none is to be waited for.
    private boolean fill(List<Write> writes) {
        for (int number = set.replicas().first(); number < set.replicas().end(); number++) {
            Optional<Pod> pod = pods.find(number);
            if (pod.isEmpty()) {
                make(number, writes);
            } else if (pod.get().status().isOver() && !pod.get().metadata().isTerminating()) {
                writes.add(deleted(pod.get()));
            }
            if (!set.parallel() && pod.filter(pods::isHealthy).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private void make(int number, List<Write> writes) {
        new StatefulClaims(set).missing(number, now).ifPresent(claims -> {
            writes.addAll(claims);
            writes.add(new Write.Create(Kind.POD, pods.made(number)));
        });
    }

    /// True if no pod is too many.
    private boolean shrink(List<Write> writes) {
        List<Integer> surplus = pods.surplus();
        for (int number : surplus) {
            Pod pod = pods.find(number).orElseThrow();
            if (!pod.metadata().isTerminating()) {
                writes.add(deleted(pod));
            }
            if (!set.parallel()) {
                return false;
            }
        }
        return surplus.isEmpty();
    }

    private void update(List<Write> writes) {
        int most = Math.max(
                1, set.update().maxUnavailable().roundedUp(set.replicas().count()));
        int lowest = set.replicas().first() + set.update().partition();
        int unavailable = 0;
        for (int number = set.replicas().end() - 1; number >= lowest && unavailable < most; number--) {
            Pod pod = pods.find(number).orElseThrow();
            boolean outdated = !pods.isNewest(pod) && !pod.metadata().isTerminating();
            if (outdated) {
                writes.add(deleted(pod));
            }
            if (outdated || !pods.isHealthy(pod)) {
                unavailable++;
            }
        }
    }

    private static Write deleted(Pod pod) {
        return new Write.Delete(Kind.POD, pod.key(), pod.metadata().uid());
    }
}
