package io.fairlead.resolver;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/// How often something took how long, in buckets as Prometheus has them.
final class Timings {
    private final double[] limits;
    private final AtomicLongArray counts;
    private final LongAdder nanos = new LongAdder();

    /// `limits` are in seconds, the smallest first.
    Timings(double... limits) {
        this.limits = limits.clone();
        this.counts = new AtomicLongArray(limits.length + 1);
    }

    /// From a hundred microseconds to eight seconds: those of an answer.
    static Timings ofAnswers() {
        return new Timings(
                0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.024,
                2.048, 4.096, 8.192);
    }

    void took(long duration, long times) {
        double seconds = duration / 1e9;
        int place = 0;
        while (place < limits.length && seconds > limits[place]) {
            place++;
        }
        counts.addAndGet(place, times);
        nanos.add(duration * times);
    }

    /// Adds what another counted, whose limits are the same.
    void add(Timings other) {
        for (int i = 0; i <= limits.length; i++) {
            counts.addAndGet(i, other.counts.get(i));
        }
        nanos.add(other.nanos.sum());
    }

    long count() {
        long sum = 0;
        for (int i = 0; i <= limits.length; i++) {
            sum += counts.get(i);
        }
        return sum;
    }

    /// The lines of one histogram; `labels` as `zone="."`.
    String text(String name, String labels) {
        StringBuilder text = new StringBuilder();
        long sum = 0;
        for (int i = 0; i < limits.length; i++) {
            sum += counts.get(i);
            text.append("%s_bucket{%s,le=\"%s\"} %d\n".formatted(name, labels, limits[i], sum));
        }
        sum += counts.get(limits.length);
        text.append("%s_bucket{%s,le=\"+Inf\"} %d\n".formatted(name, labels, sum));
        text.append(String.format(Locale.ROOT, "%s_sum{%s} %.9f%n", name, labels, nanos.sum() / 1e9));
        return text.append("%s_count{%s} %d\n".formatted(name, labels, sum)).toString();
    }
}
