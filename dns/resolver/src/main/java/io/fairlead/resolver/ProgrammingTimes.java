package io.fairlead.resolver;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// How long changes of pods took until they were in the answers, by the kind of their Service.
final class ProgrammingTimes {
    /// When the pod changed because of which the controller wrote the slice.
    static final String TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

    private static final String NAME = "coredns_kubernetes_dns_programming_duration_seconds";

    private final Instant start;
    private final Map<String, Timings> byKind = new TreeMap<>();

    /// What happened before `start` waited for nothing but that.
    ProgrammingTimes(Instant start) {
        this.start = start;
    }

    synchronized void answered(Snapshot before, Snapshot after, Instant now) {
        List<NamespacedName> changed = new ArrayList<>();
        after.endpointSlices().changedSince(before.endpointSlices(), changed::add);
        for (NamespacedName name : changed) {
            after.endpointSlices().find(name).ifPresent(slice -> {
                Optional<String> older = before.endpointSlices().find(name).map(ProgrammingTimes::trigger);
                if (!older.equals(Optional.of(trigger(slice)))) {
                    time(trigger(slice))
                            .filter(time -> !time.isBefore(start))
                            // One that is still to come is now, or a sum of nanoseconds would overflow.
                            .map(time -> time.isAfter(now) ? Duration.ZERO : Duration.between(time, now))
                            .ifPresent(delay -> took(kind(slice, after), delay));
                }
            });
        }
    }

    private void took(String kind, Duration time) {
        byKind.computeIfAbsent(kind, _ -> ofChanges()).took(time.toNanos(), 1);
    }

    /// From a millisecond to nine minutes, as CoreDNS has them.
    private static Timings ofChanges() {
        double[] limits = new double[20];
        for (int i = 0; i < limits.length; i++) {
            limits[i] = 0.001 * (1 << i);
        }
        return new Timings(limits);
    }

    private static String kind(EndpointSlice slice, Snapshot snapshot) {
        String service = slice.metadata().labels().getOrDefault(EndpointSlice.SERVICE_NAME, "");
        Optional<Service> found =
                snapshot.services().find(new NamespacedName(slice.key().namespace(), service));
        if (!found.map(Service::headless).orElse(false)) {
            return "cluster_ip";
        }
        return found.get().selector().isEmpty() ? "headless_without_selector" : "headless_with_selector";
    }

    private static String trigger(EndpointSlice slice) {
        return slice.metadata().annotations().getOrDefault(TRIGGER_TIME, "");
    }

    private static Optional<Instant> time(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeParseException _) {
            return Optional.empty(); // a slice that another controller wrote: a metric is no place to complain
        }
    }

    /// As Prometheus reads it.
    synchronized String text() {
        StringBuilder text = new StringBuilder(
                "# HELP %1$s From the change of a pod to answers that have it.\n# TYPE %1$s histogram\n"
                        .formatted(NAME));
        byKind.forEach((kind, timings) -> text.append(timings.text(NAME, "service_kind=\"%s\"".formatted(kind))));
        return text.toString();
    }
}
