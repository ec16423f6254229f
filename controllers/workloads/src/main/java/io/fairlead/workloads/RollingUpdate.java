package io.fairlead.workloads;

import java.util.ArrayList;
import java.util.List;

/// How far to go in one step from the old ReplicaSets of a Deployment to its new one: never more pods than `most`, and
/// of those that are available never fewer than `least`.
final class RollingUpdate {
    /// How many pods a Deployment wants, and between which numbers it may be meanwhile.
    record Bounds(int replicas, int least, int most) {}

    /// How many pods a ReplicaSet asks for, and how many of them can be used.
    record Size(int wanted, int available) {
        Size {
            // A set that was just scaled down still tells of the pods that it is about to lose.
            available = Math.min(wanted, available);
        }

        int unavailable() {
            return wanted - available;
        }
    }

    private final Bounds bounds;
    private final Size fresh;
    private final List<Size> old;

    RollingUpdate(Bounds bounds, Size fresh, List<Size> old) {
        this.bounds = bounds;
        this.fresh = fresh;
        this.old = List.copyOf(old);
    }

    /// What the new ReplicaSet is to ask for now.
    int freshReplicas() {
        int replicas = bounds.replicas;
        int room = bounds.most - sumOfOld();
        return fresh.wanted() >= replicas ? replicas : Math.min(replicas, Math.max(fresh.wanted(), room));
    }

    /// What each old ReplicaSet is to ask for now, in their order. Pods that serve no client go first.
    List<Integer> oldReplicas() {
        int removable = Math.max(0, sumOfOld() + fresh.wanted() - bounds.least - fresh.unavailable());
        List<Integer> sizes = new ArrayList<>(old.stream().map(Size::wanted).toList());
        removable -= shrink(sizes, old.stream().map(Size::unavailable).toList(), removable);
        int available =
                fresh.available() + old.stream().mapToInt(Size::available).sum();
        shrink(sizes, sizes, Math.min(removable, Math.max(0, available - bounds.least)));
        return sizes;
    }

    /// Takes up to `most` in all from `sizes`, from each no more than its bound; gives how many it took.
    private static int shrink(List<Integer> sizes, List<Integer> bounds, int most) {
        int left = most;
        for (int i = 0; i < sizes.size(); i++) {
            int taken = Math.min(left, bounds.get(i));
            sizes.set(i, sizes.get(i) - taken);
            left -= taken;
        }
        return most - left;
    }

    private int sumOfOld() {
        return old.stream().mapToInt(Size::wanted).sum();
    }
}
