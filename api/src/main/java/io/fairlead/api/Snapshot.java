package io.fairlead.api;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// All we know of the cluster at one revision; immutable.
///
/// A newer Snapshot shares all that did not change with the one it came from, so what differs between the two
/// is found at the cost of the change.
public record Snapshot(
        Revision revision,
        PersistentMap<NamespacedName, Service> services,
        PersistentMap<NamespacedName, EndpointSlice> endpointSlices,
        PersistentMap<NamespacedName, PersistentMap<NamespacedName, EndpointSlice>> slicesByService,
        PersistentMap<NamespacedName, Pod> pods,
        PersistentMap<NamespacedName, Node> nodes,
        PersistentMap<NamespacedName, Deployment> deployments,
        PersistentMap<NamespacedName, ReplicaSet> replicaSets) {

    public static final Snapshot EMPTY = new Snapshot(
            Revision.ZERO,
            PersistentMap.empty(),
            PersistentMap.empty(),
            PersistentMap.empty(),
            PersistentMap.empty(),
            PersistentMap.empty(),
            PersistentMap.empty(),
            PersistentMap.empty());

    /// This Snapshot with `object` as it is now.
    public Snapshot with(KubernetesObject object) {
        return switch (object) {
            case Service service -> withServices(services.with(service.key(), service));
            case EndpointSlice slice -> withoutSlice(slice.key()).withSlice(slice);
            case Pod pod -> withPods(pods.with(pod.key(), pod));
            case Node node -> withNodes(nodes.with(node.key(), node));
            case Deployment deployment -> withDeployments(deployments.with(deployment.key(), deployment));
            case ReplicaSet set -> withReplicaSets(replicaSets.with(set.key(), set));
        };
    }

    /// This Snapshot without `object`.
    public Snapshot without(KubernetesObject object) {
        return switch (object) {
            case Service service -> withServices(services.without(service.key()));
            case EndpointSlice slice -> withoutSlice(slice.key());
            case Pod pod -> withPods(pods.without(pod.key()));
            case Node node -> withNodes(nodes.without(node.key()));
            case Deployment deployment -> withDeployments(deployments.without(deployment.key()));
            case ReplicaSet set -> withReplicaSets(replicaSets.without(set.key()));
        };
    }

    /// The objects of one kind, in no order that means anything.
    public List<? extends KubernetesObject> all(Kind kind) {
        return switch (kind.name()) {
            case "Service" -> services.values().toList();
            case "EndpointSlice" -> endpointSlices.values().toList();
            case "Pod" -> pods.values().toList();
            case "Node" -> nodes.values().toList();
            case "Deployment" -> deployments.values().toList();
            case "ReplicaSet" -> replicaSets.values().toList();
            default -> List.of();
        };
    }

    /// The slices of one Service, sorted by name.
    public List<EndpointSlice> slicesOf(NamespacedName service) {
        return slicesByService
                .find(service)
                .map(slices -> slices.values()
                        .sorted(java.util.Comparator.comparing(EndpointSlice::key))
                        .toList())
                .orElse(List.of());
    }

    /// The Services that differ from `older`, themselves or in their slices; gone ones included.
    public Set<NamespacedName> servicesChangedSince(Snapshot older) {
        Set<NamespacedName> changed = new TreeSet<>();
        services.changedSince(older.services, changed::add);
        slicesByService.changedSince(older.slicesByService, changed::add);
        return changed;
    }

    public Snapshot at(Revision revision) {
        return new Snapshot(revision, services, endpointSlices, slicesByService, pods, nodes, deployments, replicaSets);
    }

    private Snapshot withSlice(EndpointSlice slice) {
        PersistentMap<NamespacedName, EndpointSlice> siblings =
                slicesByService.find(slice.service()).orElse(PersistentMap.empty());
        return withSlices(
                endpointSlices.with(slice.key(), slice),
                slicesByService.with(slice.service(), siblings.with(slice.key(), slice)));
    }

    private Snapshot withoutSlice(NamespacedName name) {
        return endpointSlices.find(name).map(this::withoutKnownSlice).orElse(this);
    }

    private Snapshot withoutKnownSlice(EndpointSlice slice) {
        PersistentMap<NamespacedName, EndpointSlice> siblings = slicesByService
                .find(slice.service())
                .orElse(PersistentMap.empty())
                .without(slice.key());
        return withSlices(
                endpointSlices.without(slice.key()),
                siblings.isEmpty()
                        ? slicesByService.without(slice.service())
                        : slicesByService.with(slice.service(), siblings));
    }

    private Snapshot withServices(PersistentMap<NamespacedName, Service> services) {
        return new Snapshot(revision, services, endpointSlices, slicesByService, pods, nodes, deployments, replicaSets);
    }

    private Snapshot withSlices(
            PersistentMap<NamespacedName, EndpointSlice> endpointSlices,
            PersistentMap<NamespacedName, PersistentMap<NamespacedName, EndpointSlice>> slicesByService) {
        return new Snapshot(revision, services, endpointSlices, slicesByService, pods, nodes, deployments, replicaSets);
    }

    private Snapshot withPods(PersistentMap<NamespacedName, Pod> pods) {
        return new Snapshot(revision, services, endpointSlices, slicesByService, pods, nodes, deployments, replicaSets);
    }

    private Snapshot withNodes(PersistentMap<NamespacedName, Node> nodes) {
        return new Snapshot(revision, services, endpointSlices, slicesByService, pods, nodes, deployments, replicaSets);
    }

    private Snapshot withDeployments(PersistentMap<NamespacedName, Deployment> deployments) {
        return new Snapshot(revision, services, endpointSlices, slicesByService, pods, nodes, deployments, replicaSets);
    }

    private Snapshot withReplicaSets(PersistentMap<NamespacedName, ReplicaSet> replicaSets) {
        return new Snapshot(revision, services, endpointSlices, slicesByService, pods, nodes, deployments, replicaSets);
    }
}
