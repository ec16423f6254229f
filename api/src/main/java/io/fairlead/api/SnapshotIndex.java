package io.fairlead.api;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// The objects of a Snapshot under what they are looked up by; immutable.
///
/// `podsByNode` has the pods without a node under the empty name. `dependents` are the objects that another one
/// controls.
record SnapshotIndex(
        Groups<NamespacedName, EndpointSlice> slicesByService,
        LabelIndex<Pod> podsByLabel,
        LabelIndex<Service> servicesBySelector,
        Groups<String, Pod> podsByNode,
        Groups<Controlled, KubernetesObject> dependents) {

    /// The objects of one kind that the owner of this uid controls.
    record Controlled(String ownerUid, Kind kind) {}

    static final SnapshotIndex EMPTY =
            new SnapshotIndex(Groups.empty(), LabelIndex.empty(), LabelIndex.empty(), Groups.empty(), Groups.empty());

    SnapshotIndex with(KubernetesObject object) {
        NamespacedName key = object.key();
        SnapshotIndex index = withDependents(dependentsWith(object));
        return switch (object) {
            case EndpointSlice slice -> index.withSlices(slicesByService.with(slice.service(), key, slice));
            case Pod pod ->
                index.withPods(
                        podsByLabel.with(key, pod.metadata().labels(), pod),
                        podsByNode.with(pod.spec().nodeName(), key, pod));
            case Service service ->
                index.withServices(servicesBySelector.with(key, LabelIndex.oneOf(service.selector()), service));
            default -> index;
        };
    }

    /// With all objects of a kind of which there were none. Slices, of which there are most, are grouped at once.
    SnapshotIndex withFirst(Kind kind, Collection<KubernetesObject> objects) {
        SnapshotIndex index = this;
        if (kind.equals(Kind.ENDPOINT_SLICE)) {
            List<EndpointSlice> slices = new ArrayList<>(objects.size());
            objects.forEach(object -> slices.add((EndpointSlice) object));
            for (EndpointSlice slice : slices) {
                index = index.withDependents(index.dependentsWith(slice));
            }
            return index.withSlices(Groups.of(slices, EndpointSlice::service));
        }
        for (KubernetesObject object : objects) {
            index = index.with(object);
        }
        return index;
    }

    private Groups<Controlled, KubernetesObject> dependentsWith(KubernetesObject object) {
        return object.metadata()
                .controller()
                .map(owner -> dependents.with(new Controlled(owner.uid(), object.kind()), object.key(), object))
                .orElse(dependents);
    }

    SnapshotIndex without(KubernetesObject object) {
        NamespacedName key = object.key();
        SnapshotIndex index = withDependents(object.metadata()
                .controller()
                .map(owner -> dependents.without(new Controlled(owner.uid(), object.kind()), key))
                .orElse(dependents));
        return switch (object) {
            case EndpointSlice slice -> index.withSlices(slicesByService.without(slice.service(), key));
            case Pod pod ->
                index.withPods(
                        podsByLabel.without(key, pod.metadata().labels()),
                        podsByNode.without(pod.spec().nodeName(), key));
            case Service service ->
                index.withServices(servicesBySelector.without(key, LabelIndex.oneOf(service.selector())));
            default -> index;
        };
    }

    private SnapshotIndex withSlices(Groups<NamespacedName, EndpointSlice> slices) {
        return new SnapshotIndex(slices, podsByLabel, servicesBySelector, podsByNode, dependents);
    }

    private SnapshotIndex withPods(LabelIndex<Pod> byLabel, Groups<String, Pod> byNode) {
        return new SnapshotIndex(slicesByService, byLabel, servicesBySelector, byNode, dependents);
    }

    private SnapshotIndex withServices(LabelIndex<Service> services) {
        return new SnapshotIndex(slicesByService, podsByLabel, services, podsByNode, dependents);
    }

    private SnapshotIndex withDependents(Groups<Controlled, KubernetesObject> all) {
        return new SnapshotIndex(slicesByService, podsByLabel, servicesBySelector, podsByNode, all);
    }
}
