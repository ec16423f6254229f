package io.fairlead.ebpf;

import io.fairlead.forwarding.Scheduler;
import io.fairlead.forwarding.Target;
import java.util.ArrayList;
import java.util.List;

/// Who has which slot: each target one, or as many as its weight says. Pure.
final class Slots {
    /// Weights that would need more slots are made smaller, in proportion.
    private static final int MOST = 4_096;

    private Slots() {}

    static List<Target> of(List<Target> targets, Scheduler scheduler) {
        if (!scheduler.isWeighted()) {
            return targets;
        }
        List<Target> some =
                targets.stream().filter(target -> target.weight() > 0).toList();
        return isEqual(some) ? some : spread(some, weights(some));
    }

    private static boolean isEqual(List<Target> targets) {
        return targets.stream().mapToInt(Target::weight).distinct().count() <= 1;
    }

    private static int[] weights(List<Target> targets) {
        int divisor = targets.stream().mapToInt(Target::weight).reduce(0, Slots::greatestDivisor);
        int[] weights =
                targets.stream().mapToInt(target -> target.weight() / divisor).toArray();
        long total = 0;
        for (int weight : weights) {
            total += weight;
        }
        for (int i = 0; total > MOST && i < weights.length; i++) {
            weights[i] = (int) Math.max(1, weights[i] * (long) MOST / total);
        }
        return weights;
    }

    private static int greatestDivisor(int one, int other) {
        return other == 0 ? one : greatestDivisor(other, one % other);
    }

    /// The slots of one target lie apart: the next one goes to the target that is owed most.
    private static List<Target> spread(List<Target> targets, int[] weights) {
        int total = 0;
        for (int weight : weights) {
            total += weight;
        }
        long[] owed = new long[weights.length];
        List<Target> slots = new ArrayList<>(total);
        for (int slot = 0; slot < total; slot++) {
            int most = 0;
            for (int i = 0; i < owed.length; i++) {
                owed[i] += weights[i];
                most = owed[i] > owed[most] ? i : most;
            }
            owed[most] -= total;
            slots.add(targets.get(most));
        }
        return slots;
    }
}
