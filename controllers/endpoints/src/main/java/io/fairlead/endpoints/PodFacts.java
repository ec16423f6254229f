package io.fairlead.endpoints;

import io.fairlead.api.Ip;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import io.fairlead.runner.Lookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What of a pod its endpoints are made of.
record PodFacts(
        Map<String, String> labels,
        List<Ip> addresses,
        String node,
        boolean ready,
        boolean terminating,
        boolean over,
        String hostname,
        String subdomain,
        String weight,
        List<Pod.Container> containers) {
    static PodFacts of(Pod pod) {
        return new PodFacts(
                pod.metadata().labels(),
                pod.status().podIps(),
                pod.spec().nodeName(),
                pod.status().ready(),
                pod.metadata().isTerminating(),
                pod.status().isOver(),
                pod.spec().hostname(),
                pod.spec().subdomain(),
                PodWeight.of(pod),
                pod.spec().lastingContainers());
    }

    /// Each as it was and as it is: its labels may have left one Service and entered another.
    static List<Pod> changedPods(Snapshot before, Snapshot now) {
        List<Pod> pods = new ArrayList<>();
        Lookup.changes(before.pods(), now.pods(), (old, fresh) -> {
            if (!old.map(PodFacts::of).equals(fresh.map(PodFacts::of))) {
                old.ifPresent(pods::add);
                fresh.ifPresent(pods::add);
            }
        });
        return pods;
    }
}
