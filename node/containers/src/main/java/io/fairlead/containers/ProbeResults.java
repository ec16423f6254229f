package io.fairlead.containers;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/// What the probes say of a pod's containers, by name.
///
/// `failed` ones are to be stopped: each with the grace it gets, below zero if it is the pod's. `stopping` ones were
/// asked to end at that time.
public record ProbeResults(
        Set<String> started, Set<String> ready, Map<String, Duration> failed, Map<String, Instant> stopping) {
    public static final ProbeResults UNKNOWN = new ProbeResults(Set.of(), Set.of(), Map.of(), Map.of());
}
