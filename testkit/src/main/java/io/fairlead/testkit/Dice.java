package io.fairlead.testkit;

import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Chance; the same seed throws the same.
final class Dice {
    private final RandomGenerator random;

    Dice(long seed) {
        this.random = new Random(seed);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /// True once in so many times.
    boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    <T> T one(List<T> items) {
        return items.get(random.nextInt(items.size()));
    }

    /// Each of them once in so many times, in their order.
    <T> List<T> some(int times, List<T> items) {
        return items.stream().filter(_ -> oneIn(times)).toList();
    }

    /// Up to `most` numbers below `bound`, of which some may be equal.
    List<Integer> numbers(int most, int bound) {
        return IntStream.range(0, random.nextInt(most + 1))
                .mapToObj(_ -> random.nextInt(bound))
                .toList();
    }
}
