package io.fairlead.workloads;

import io.fairlead.api.DaemonSet;
import io.fairlead.api.Kind;
import io.fairlead.api.Pod;
import io.fairlead.runner.Write;
import java.util.ArrayList;
import java.util.List;

/// What to do next with the pods of a DaemonSet.
///
/// One of an older template goes when it is of no use, or in its turn: with `maxSurge` when its successor is available,
/// else when the nodes without an available pod are fewer than `maxUnavailable`.
record DaemonPlan(DaemonSet set, DaemonPods pods) {

    List<Write> writes() {
        List<Write> writes = new ArrayList<>();
        pods.stray().stream().filter(pod -> !pod.metadata().isTerminating()).forEach(pod -> writes.add(deleted(pod)));
        int nodes = pods.wanted().size();
        int surge = set.update().onDelete() ? 0 : set.update().maxSurge().roundedUp(nodes);
        if (surge > 0) {
            surge(writes, surge);
        } else {
            replace(
                    writes,
                    set.update().onDelete() ? 0 : set.update().maxUnavailable().roundedUp(nodes));
        }
        return writes;
    }

    private void replace(List<Write> writes, int mostUnavailable) {
        long unavailable = pods.wanted().stream()
                .filter(place -> place.pods().stream().noneMatch(pods::isAvailable))
                .count();
        for (DaemonPods.Place place : pods.wanted()) {
            List<Pod> staying = place.staying();
            keepOne(writes, place, staying);
            if (staying.isEmpty()
                    || !isOutdated(staying.getFirst())
                    || set.update().onDelete()) {
                continue;
            }
            if (!pods.isAvailable(staying.getFirst())) {
                writes.add(deleted(staying.getFirst()));
            } else if (unavailable < mostUnavailable) {
                writes.add(deleted(staying.getFirst()));
                unavailable++;
            }
        }
    }

    /// Makes the pod that a node lacks, and ends what it has beyond one; also one that is over, for another to come.
    private void keepOne(List<Write> writes, DaemonPods.Place place, List<Pod> staying) {
        if (place.pods().isEmpty()) {
            writes.add(new Write.Create(Kind.POD, pods.made(place.node())));
        }
        staying.stream().skip(1).forEach(pod -> writes.add(deleted(pod)));
        staying.stream()
                .limit(1)
                .filter(pod -> pod.status().isOver() && !isOutdated(pod))
                .forEach(pod -> writes.add(deleted(pod)));
    }

    private void surge(List<Write> writes, int most) {
        long surging = pods.wanted().stream()
                .filter(place -> place.staying().stream().anyMatch(this::isOutdated)
                        && place.staying().stream().anyMatch(pods::isNewest))
                .count();
        for (DaemonPods.Place place : pods.wanted()) {
            List<Pod> old = place.staying().stream().filter(this::isOutdated).toList();
            List<Pod> fresh = place.staying().stream().filter(pods::isNewest).toList();
            fresh.stream().skip(1).forEach(pod -> writes.add(deleted(pod)));
            boolean replaced = fresh.stream().anyMatch(pods::isAvailable);
            if (fresh.isEmpty() && (old.stream().noneMatch(pods::isAvailable) || surging < most)) {
                surging += old.isEmpty() ? 0 : 1;
                writes.add(new Write.Create(Kind.POD, pods.made(place.node())));
            }
            old.stream().filter(pod -> replaced || !pods.isAvailable(pod)).forEach(pod -> writes.add(deleted(pod)));
            fresh.stream().limit(1).filter(pod -> pod.status().isOver()).forEach(pod -> writes.add(deleted(pod)));
        }
    }

    private boolean isOutdated(Pod pod) {
        return !pods.isNewest(pod);
    }

    private static Write deleted(Pod pod) {
        return new Write.Delete(Kind.POD, pod.key(), pod.metadata().uid());
    }
}
