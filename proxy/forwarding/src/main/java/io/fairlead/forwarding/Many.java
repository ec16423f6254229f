package io.fairlead.forwarding;

import java.util.Collection;
import java.util.stream.Stream;

/// Things that are computed each by itself: one after the other, or on all processors where there are many, as there
/// are at a start.
final class Many {
    private static final int FEW = 500;

    private Many() {}

    static <T> Stream<T> of(Collection<T> things) {
        return things.size() <= FEW ? things.stream() : things.parallelStream();
    }
}
