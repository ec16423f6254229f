package io.fairlead.node;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Snapshot;
import java.util.Optional;

/// What the cluster wants of a pod that this node has.
sealed interface Wish {
    /// Nobody has said anything yet: leave it as it is.
    record Keep() implements Wish {}

    record Run(Pod pod) implements Wish {}

    /// Its deletion was asked for; `ready` while an EndpointSlice still offers it to clients.
    record Leave(Pod pod, boolean ready) implements Wish {}

    /// The API knows it no longer: somebody deleted it by force, or gave its name to another.
    record Vanish(boolean ready) implements Wish {}

    /// What `snapshot` says of the pod that had this name and uid on this node.
    static Wish of(Snapshot snapshot, NamespacedName key, String uid) {
        Optional<Pod> pod =
                snapshot.pods().find(key).filter(found -> found.metadata().uid().equals(uid));
        if (pod.isPresent() && !pod.get().metadata().isTerminating()) {
            return new Run(pod.get());
        }
        boolean ready = isReady(snapshot, key.namespace(), uid);
        return pod.<Wish>map(leaving -> new Leave(leaving, ready)).orElse(new Vanish(ready));
    }

    private static boolean isReady(Snapshot snapshot, String namespace, String uid) {
        return snapshot.endpointSlices()
                .values()
                .filter(slice -> slice.key().namespace().equals(namespace))
                .flatMap(slice -> slice.endpoints().stream())
                .anyMatch(endpoint -> endpoint.ready() && endpoint.podUid().equals(uid));
    }
}
