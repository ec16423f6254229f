package io.fairlead.agent;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import io.fairlead.api.Snapshot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Which slice of a Service lost which pod of this node, by the pod's uid: a slice itself says only whom it has.
///
/// A pod whose labels no longer match is no Service's endpoint; but until the kernels follow, they still lead to it.
final class Departures {
    private final Map<String, Revision> left = new HashMap<>();

    /// The newest slice that lost the pod; zero if none did.
    Revision of(String uid) {
        return left.getOrDefault(uid, Revision.ZERO);
    }

    /// Takes note of the slices that differ.
    void follow(Snapshot before, Snapshot now, Set<String> uids) {
        left.keySet().retainAll(uids);
        Set<NamespacedName> changed = new HashSet<>();
        now.endpointSlices().changedSince(before.endpointSlices(), changed::add);
        for (NamespacedName key : changed) {
            now.endpointSlices()
                    .find(key)
                    .ifPresent(
                            slice -> before.endpointSlices().find(key).ifPresent(older -> follow(older, slice, uids)));
        }
    }

    private void follow(EndpointSlice before, EndpointSlice now, Set<String> uids) {
        Set<String> there = now.endpoints().stream().map(Endpoint::podUid).collect(Collectors.toSet());
        before.endpoints().stream()
                .filter(endpoint -> !endpoint.terminating() && uids.contains(endpoint.podUid()))
                .filter(endpoint -> !there.contains(endpoint.podUid()))
                .forEach(endpoint -> left.put(endpoint.podUid(), now.metadata().revision()));
    }
}
