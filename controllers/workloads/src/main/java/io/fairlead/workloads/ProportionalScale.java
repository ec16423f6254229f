package io.fairlead.workloads;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Shares the change of a Deployment's size among its ReplicaSets while a rollout is under way, each by its part of the
/// whole, so that a larger or smaller Deployment is as far with its rollout as it was.
final class ProportionalScale {
    private ProportionalScale() {}

    /// What each set is to ask for so that they have `most` together; `sizes` are oldest first, `mostBefore` is what
    /// `most` was when they got them.
    static List<Integer> of(List<Integer> sizes, int most, int mostBefore) {
        int left = most - sizes.stream().mapToInt(Integer::intValue).sum();
        List<Integer> scaled = new ArrayList<>(sizes);
        List<Integer> order = largestFirst(sizes, left > 0);
        for (int i : order) {
            int part = (int) Math.round((double) sizes.get(i) * most / Math.max(1, mostBefore)) - sizes.get(i);
            int change = left > 0 ? Math.clamp(part, 0, left) : Math.clamp(part, left, 0);
            scaled.set(i, sizes.get(i) + change);
            left -= change;
        }
        for (int i : order) { // what rounding left over
            int change = Math.max(left, -scaled.get(i));
            scaled.set(i, scaled.get(i) + change);
            left -= change;
        }
        return scaled;
    }

    /// Of those of one size, the newest first to grow and the oldest first to shrink. A set without pods stays so.
    private static List<Integer> largestFirst(List<Integer> sizes, boolean newestFirst) {
        Comparator<Integer> age = newestFirst ? Comparator.reverseOrder() : Comparator.naturalOrder();
        return IntStream.range(0, sizes.size())
                .boxed()
                .filter(i -> sizes.get(i) > 0)
                .sorted(Comparator.comparing((Integer i) -> sizes.get(i), Comparator.reverseOrder())
                        .thenComparing(age))
                .toList();
    }
}
