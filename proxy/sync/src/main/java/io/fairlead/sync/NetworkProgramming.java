package io.fairlead.sync;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How long changes of pods took until they were programmed here.
final class NetworkProgramming {
    /// When the pod changed because of which the controller wrote the slice.
    private static final String TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

    private NetworkProgramming() {}

    /// One delay for each slice that is new or changed in `after`, if it says what it was written for. What happened
    /// before the `start` of this proxy waited for nothing but that.
    static List<Duration> delays(Snapshot before, Snapshot after, Instant start, Instant now) {
        List<NamespacedName> changed = new ArrayList<>();
        after.endpointSlices().changedSince(before.endpointSlices(), changed::add);
        return changed.stream()
                .flatMap(name -> after.endpointSlices().find(name).stream())
                .filter(slice -> before.endpointSlices()
                        .find(slice.key())
                        .filter(older -> trigger(older).equals(trigger(slice)))
                        .isEmpty())
                .flatMap(slice -> time(trigger(slice)).stream())
                .filter(time -> !time.isBefore(start))
                // A slice may name any time: one that is still to come is now, or a sum of nanoseconds would overflow.
                .map(time -> time.isAfter(now) ? Duration.ZERO : Duration.between(time, now))
                .toList();
    }

    private static String trigger(EndpointSlice slice) {
        return slice.metadata().annotations().getOrDefault(TRIGGER_TIME, "");
    }

    private static Optional<Instant> time(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException _) {
            return Optional.empty(); // another program's slice: a metric is no place to complain
        }
    }
}
