package io.fairlead.endpoints;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Json;
import io.fairlead.api.Pod;
import io.fairlead.api.Service;
import io.fairlead.endpoints.WantedEndpoint.Identity;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// When the changes happened that slices follow, so that proxies can tell how long they took.
///
/// Compared with what the slices say already, no memory is needed: a change that they show is not reported again.
///
/// @param first   the time for the first slices of a Service; empty if it has some
/// @param serving which endpoints the slices have, and whether they served
/// @param changed when the readiness of each pod last changed, by its uid
record TriggerTimes(String first, Map<Identity, Boolean> serving, Map<String, String> changed) {
    /// Of endpoints that are no pods.
    static final TriggerTimes UNKNOWN = new TriggerTimes("", Map.of(), Map.of());

    static TriggerTimes of(Service service, Collection<Pod> pods, List<EndpointSlice> existing) {
        Map<Identity, Boolean> serving = new HashMap<>();
        existing.stream()
                .flatMap(slice -> slice.endpoints().stream())
                .filter(endpoint -> !endpoint.addresses().isEmpty())
                .forEach(endpoint -> serving.put(Identity.of(endpoint), endpoint.serving()));
        Map<String, String> changed = new HashMap<>();
        pods.forEach(pod -> changed.put(pod.metadata().uid(), pod.status().readyChanged()));
        return new TriggerTimes(existing.isEmpty() ? service.metadata().creationTimestamp() : "", serving, changed);
    }

    /// The earliest change that a slice with these endpoints is the first to tell; empty if there is none, or no
    /// object says when it was.
    String of(List<WantedEndpoint> endpoints) {
        if (!first.isEmpty()) {
            return first;
        }
        return endpoints.stream()
                .filter(this::isNews)
                .flatMap(endpoint ->
                        Optional.ofNullable(changed.get(endpoint.identity().podUid())).stream())
                .filter(time -> !time.isEmpty())
                .min(String::compareTo)
                .orElse("");
    }

    private boolean isNews(WantedEndpoint endpoint) {
        Boolean before = serving.get(endpoint.identity());
        return before == null || before != Json.flag(endpoint.json(), false, "conditions", "serving");
    }
}
