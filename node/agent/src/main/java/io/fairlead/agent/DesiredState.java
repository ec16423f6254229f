package io.fairlead.agent;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Pod;
import io.fairlead.api.Revision;
import io.fairlead.api.Snapshot;
import java.util.Optional;

/// What the cluster wants of a pod that this node has.
sealed interface DesiredState {
    /// The API has said nothing yet: leave it as it is.
    record Keep() implements DesiredState {}

    record Run(Pod pod) implements DesiredState {}

    /// Its deletion was asked for; `exposure` says whether clients still come.
    record Terminate(Pod pod, Exposure exposure) implements DesiredState {}

    /// The API knows it no longer: a client deleted it by force, or gave its name to another pod.
    record Vanish(Exposure exposure) implements DesiredState {}

    /// What `snapshot` says of the pod that had this name and uid on this node; `left` is the newest slice that lost
    /// it.
    static DesiredState of(Snapshot snapshot, NamespacedName key, String uid, Revision left) {
        Optional<Pod> pod =
                snapshot.pods().find(key).filter(found -> found.metadata().uid().equals(uid));
        if (pod.isPresent() && !pod.get().metadata().isTerminating()) {
            return new Run(pod.get());
        }
        return pod.<DesiredState>map(leaving -> new Terminate(leaving, Exposure.of(snapshot, leaving, left)))
                .orElseGet(() -> new Vanish(Exposure.ofGone(snapshot, key.namespace(), uid)));
    }
}
