package io.fairlead.agent;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.Pod;
import io.fairlead.api.Revision;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Whether clients may still be led to a pod that is about to end: the barrier before its first signal.
///
/// ```
///  deletion asked for ─► its slices say terminating, at revision V ─► every live node has programmed V ─► SIGTERM
///                   OFFERED                                       OFFERED                         WITHDRAWN
/// ```
enum Exposure {
    /// No Service leads to it.
    NONE,
    /// Some kernel may lead a new connection to it.
    OFFERED,
    /// No kernel does any more; a connection that was on its way may still arrive.
    WITHDRAWN;

    /// Of a pod whose deletion was asked for; `left` is the newest slice that had lost it before, or zero.
    static Exposure of(Snapshot snapshot, Pod pod, Revision left) {
        String uid = pod.metadata().uid();
        List<EndpointSlice> slices =
                slices(snapshot, pod.key().namespace(), uid).toList();
        if (slices.stream().anyMatch(slice -> isStaying(slice, uid)) || isUntold(snapshot, pod, slices)) {
            return OFFERED;
        }
        Revision told = slices.stream()
                .map(slice -> slice.metadata().revision())
                .reduce(left, (one, other) -> other.isAfter(one) ? other : one);
        if (told.equals(Revision.ZERO)) {
            return NONE;
        }
        return isProgrammed(snapshot, told) ? WITHDRAWN : OFFERED;
    }

    /// Of a pod that the API knows no longer: its slices lose it as well, and no annotation says which node followed.
    static Exposure ofGone(Snapshot snapshot, String namespace, String uid) {
        return slices(snapshot, namespace, uid).anyMatch(slice -> isOffered(slice, uid)) ? OFFERED : NONE;
    }

    private static Stream<EndpointSlice> slices(Snapshot snapshot, String namespace, String uid) {
        return snapshot.endpointSlices()
                .values()
                .filter(slice -> slice.key().namespace().equals(namespace) && has(slice, uid, _ -> true));
    }

    /// One that became unready a moment ago may still be led to by a kernel that has not heard of it. No annotation
    /// says when all have; but its slice is about to say that it leaves, and of that they will.
    private static boolean isStaying(EndpointSlice slice, String uid) {
        return has(slice, uid, endpoint -> !endpoint.terminating());
    }

    /// Where a Service publishes pods in any state, its slices call them ready to the end.
    private static boolean isOffered(EndpointSlice slice, String uid) {
        return has(slice, uid, endpoint -> endpoint.ready() && !endpoint.terminating());
    }

    private static boolean has(EndpointSlice slice, String uid, Predicate<Endpoint> condition) {
        return slice.endpoints().stream()
                .anyMatch(endpoint -> endpoint.podUid().equals(uid) && condition.test(endpoint));
    }

    /// It was ready, and a Service selects it: a slice with it may be on its way that we have not seen.
    private static boolean isUntold(Snapshot snapshot, Pod pod, List<EndpointSlice> slices) {
        return pod.status().ready()
                && snapshot.servicesThatSelect(pod).stream()
                        .filter(service -> service.type() != Service.Type.EXTERNAL_NAME
                                && !service.metadata().isTerminating())
                        .anyMatch(service -> slices.stream()
                                .noneMatch(slice -> slice.service().equals(service.key())));
    }

    /// The agent does not wait for a node that is not ready, nor for one whose proxy never said anything.
    private static boolean isProgrammed(Snapshot snapshot, Revision revision) {
        return snapshot.nodes()
                .values()
                .filter(node -> node.ready())
                .flatMap(node -> node.programmed().stream())
                .noneMatch(revision::isAfter);
    }
}
