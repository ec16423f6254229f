package io.fairlead.nftables;

import java.util.ArrayList;
import java.util.List;

/// All ways that chance may go, one after the other: counts through the choices that a run meets, the last first.
final class Chances {
    private final List<Integer> taken = new ArrayList<>();
    private final List<Integer> counts = new ArrayList<>();
    private int met;

    /// A number below `count`.
    int choose(int count) {
        if (met == taken.size()) {
            taken.add(0);
            counts.add(count);
        }
        return taken.get(met++);
    }

    /// Goes on to the next way; false if there is none.
    boolean next() {
        met = 0;
        while (!taken.isEmpty()) {
            int last = taken.removeLast() + 1;
            int count = counts.removeLast();
            if (last < count) {
                taken.add(last);
                counts.add(count);
                return true;
            }
        }
        return false;
    }
}
