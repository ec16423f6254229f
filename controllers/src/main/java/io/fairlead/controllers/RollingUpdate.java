package io.fairlead.controllers;

import java.util.ArrayList;
import java.util.List;

/// How far to go in one step from the old ReplicaSets of a Deployment to its new one.
///
/// At most a quarter more pods than wanted exist at a time (rounded up), and at least three quarters are available
/// (rounded up): the defaults of `maxSurge` and `maxUnavailable` in the Kubernetes API.
final class RollingUpdate {
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

    private final int replicas;
    private final Size fresh;
    private final List<Size> old;

    RollingUpdate(int replicas, Size fresh, List<Size> old) {
        this.replicas = replicas;
        this.fresh = fresh;
        this.old = List.copyOf(old);
    }

    /// What the new ReplicaSet is to ask for now.
    int freshReplicas() {
        int room = replicas + (replicas + 3) / 4 - sumOfOld();
        return fresh.wanted() >= replicas ? replicas : Math.min(replicas, Math.max(fresh.wanted(), room));
    }

    /// What each old ReplicaSet is to ask for now, in their order. Pods that are of no use to anybody go first.
    List<Integer> oldReplicas() {
        int least = replicas - replicas / 4;
        int removable = Math.max(0, sumOfOld() + fresh.wanted() - least - fresh.unavailable());
        List<Integer> sizes = new ArrayList<>(old.stream().map(Size::wanted).toList());
        removable -= shrink(sizes, old.stream().map(Size::unavailable).toList(), removable);
        int available =
                fresh.available() + old.stream().mapToInt(Size::available).sum();
        shrink(sizes, sizes, Math.min(removable, Math.max(0, available - least)));
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
