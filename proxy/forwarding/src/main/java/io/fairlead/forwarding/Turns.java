package io.fairlead.forwarding;

import java.util.ArrayList;
import java.util.List;

/// The shares of targets as whole numbers, and the order in which they get connections one after the other. Pure.
///
/// Weights are brought to the smallest whole numbers with the same proportions. Where those sum up to more than a room
/// can hold they are rounded, and each target with a weight keeps one share.
public final class Turns {
    private Turns() {}

    /// How many of the connections each target gets, against the others; as many numbers as targets. They sum up to
    /// `most` and one for each target at the most.
    public static List<Integer> shares(List<Target> targets, int most) {
        long divisor = 0;
        for (Target target : targets) {
            divisor = divisor(target.weight(), divisor);
        }
        if (divisor == 0) {
            return targets.stream().map(_ -> 0).toList();
        }
        long sum = 0;
        for (Target target : targets) {
            sum += target.weight() / divisor;
        }
        List<Integer> shares = new ArrayList<>(targets.size());
        for (Target target : targets) {
            long exact = target.weight() / divisor;
            shares.add((int) (sum <= most || exact == 0 ? exact : Math.max(1, exact * most / sum)));
        }
        return List.copyOf(shares);
    }

    /// Whether the shares of these targets are what their weights say, to the last one.
    public static boolean isExact(List<Target> targets, int most) {
        List<Integer> shares = shares(targets, most);
        for (int i = 1; i < shares.size(); i++) {
            if ((long) shares.get(i) * targets.getFirst().weight()
                    != (long) shares.getFirst() * targets.get(i).weight()) {
                return false;
            }
        }
        return true;
    }

    /// Each target as often as it has shares, spread out: a heavy one does not get all its turns in a row.
    public static List<Target> of(List<Target> targets, int most) {
        List<Integer> shares = shares(targets, most);
        if (shares.stream().allMatch(share -> share == 1)) {
            return targets;
        }
        int sum = shares.stream().mapToInt(share -> share).sum();
        List<Target> turns = new ArrayList<>(sum);
        long[] credits = new long[shares.size()];
        for (int turn = 0; turn < sum; turn++) {
            int best = 0;
            for (int i = 0; i < credits.length; i++) {
                credits[i] += shares.get(i);
                if (credits[i] > credits[best]) {
                    best = i;
                }
            }
            credits[best] -= sum;
            turns.add(targets.get(best));
        }
        return List.copyOf(turns);
    }

    private static long divisor(long one, long other) {
        return other == 0 ? one : divisor(other, one % other);
    }
}
