package io.fairlead.api;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// All we know of the cluster at one revision; immutable.
///
/// A newer Snapshot shares all that did not change with the one it came from, so what differs between the two
/// is found at the cost of the change.
public record Snapshot(
        Revision revision,
        PersistentMap<String, PersistentMap<NamespacedName, KubernetesObject>> objects,
        SnapshotIndex index) {

    public static final Snapshot EMPTY = new Snapshot(Revision.ZERO, PersistentMap.empty(), SnapshotIndex.EMPTY);

    /// This Snapshot with `object` as it is now.
    public Snapshot with(KubernetesObject object) {
        PersistentMap<NamespacedName, KubernetesObject> siblings = objects(object.kind());
        SnapshotIndex before = siblings.find(object.key()).map(index::without).orElse(index);
        return new Snapshot(
                revision,
                objects.with(object.kind().qualified(), siblings.with(object.key(), object)),
                before.with(object));
    }

    /// This Snapshot with each of `some`, which are of this kind: quicker than one by one where it has none yet.
    public Snapshot withAll(Kind kind, Collection<? extends KubernetesObject> some) {
        if (objects(kind).isEmpty()) {
            return withFirst(kind, some);
        }
        Snapshot after = this;
        for (KubernetesObject object : some) {
            after = after.with(object);
        }
        return after;
    }

    private Snapshot withFirst(Kind kind, Collection<? extends KubernetesObject> some) {
        Map<NamespacedName, KubernetesObject> byKey = new HashMap<>();
        some.forEach(object -> byKey.put(object.key(), object));
        return new Snapshot(
                revision, withObjects(kind, objects(kind).withAll(byKey)), index.withFirst(kind, byKey.values()));
    }

    /// This Snapshot without `object`.
    public Snapshot without(KubernetesObject object) {
        PersistentMap<NamespacedName, KubernetesObject> siblings = objects(object.kind());
        return siblings.find(object.key())
                .map(known -> new Snapshot(
                        revision, withObjects(object.kind(), siblings.without(object.key())), index.without(known)))
                .orElse(this);
    }

    /// The objects of one kind.
    public PersistentMap<NamespacedName, KubernetesObject> objects(Kind kind) {
        return objects.find(kind.qualified()).orElse(PersistentMap.empty());
    }

    /// The objects of one kind, in no order that means anything.
    public List<? extends KubernetesObject> all(Kind kind) {
        return objects(kind).values().toList();
    }

    public PersistentMap<NamespacedName, Service> services() {
        return typed(Kind.SERVICE);
    }

    public PersistentMap<NamespacedName, EndpointSlice> endpointSlices() {
        return typed(Kind.ENDPOINT_SLICE);
    }

    public PersistentMap<NamespacedName, Endpoints> endpoints() {
        return typed(Kind.ENDPOINTS);
    }

    public PersistentMap<NamespacedName, ServiceCidr> serviceCidrs() {
        return typed(Kind.SERVICE_CIDR);
    }

    public PersistentMap<NamespacedName, Pod> pods() {
        return typed(Kind.POD);
    }

    public PersistentMap<NamespacedName, Node> nodes() {
        return typed(Kind.NODE);
    }

    public PersistentMap<NamespacedName, Deployment> deployments() {
        return typed(Kind.DEPLOYMENT);
    }

    public PersistentMap<NamespacedName, ReplicaSet> replicaSets() {
        return typed(Kind.REPLICA_SET);
    }

    public PersistentMap<NamespacedName, ReplicaSet> replicationControllers() {
        return typed(Kind.REPLICATION_CONTROLLER);
    }

    public PersistentMap<NamespacedName, StatefulSet> statefulSets() {
        return typed(Kind.STATEFUL_SET);
    }

    public PersistentMap<NamespacedName, DaemonSet> daemonSets() {
        return typed(Kind.DAEMON_SET);
    }

    public PersistentMap<NamespacedName, Namespace> namespaces() {
        return typed(Kind.NAMESPACE);
    }

    public PersistentMap<NamespacedName, Lease> leases() {
        return typed(Kind.LEASE);
    }

    public PersistentMap<NamespacedName, Ingress> ingresses() {
        return typed(Kind.INGRESS);
    }

    public PersistentMap<NamespacedName, IngressClass> ingressClasses() {
        return typed(Kind.INGRESS_CLASS);
    }

    public PersistentMap<NamespacedName, ConfigMap> configMaps() {
        return typed(Kind.CONFIG_MAP);
    }

    public PersistentMap<NamespacedName, Secret> secrets() {
        return typed(Kind.SECRET);
    }

    public PersistentMap<NamespacedName, PersistentVolume> volumes() {
        return typed(Kind.PERSISTENT_VOLUME);
    }

    public PersistentMap<NamespacedName, PersistentVolume.Claim> claims() {
        return typed(Kind.PERSISTENT_VOLUME_CLAIM);
    }

    public PersistentMap<NamespacedName, PersistentVolume.StorageClass> storageClasses() {
        return typed(Kind.STORAGE_CLASS);
    }

    /// The slices of each Service that has any.
    public PersistentMap<NamespacedName, PersistentMap<NamespacedName, EndpointSlice>> slicesByService() {
        return index.slicesByService().byKey();
    }

    /// The slices of one Service, sorted by name.
    public List<EndpointSlice> slicesOf(NamespacedName service) {
        PersistentMap<NamespacedName, EndpointSlice> slices =
                index.slicesByService().of(service);
        List<EndpointSlice> sorted = new ArrayList<>(slices.size());
        slices.forEach((_, slice) -> sorted.add(slice));
        if (sorted.size() > 1) {
            sorted.sort(Comparator.comparing(EndpointSlice::key));
        }
        return List.copyOf(sorted);
    }

    /// The pods of a namespace that have all labels of `selector`; none where it is empty.
    public List<Pod> podsSelectedBy(String namespace, Map<String, String> selector) {
        return index.podsByLabel()
                .candidates(namespace, selector)
                .filter(pod -> matches(selector, pod.metadata().labels()))
                .toList();
    }

    /// The pods that were given to a node; those that wait for one where the name is empty.
    public PersistentMap<NamespacedName, Pod> podsOn(String node) {
        return index.podsByNode().of(node);
    }

    /// The pods that `owner` controls.
    public List<Pod> podsOf(KubernetesObject owner) {
        return controlledBy(owner, Kind.POD, Pod.class);
    }

    /// The ReplicaSets that `owner` controls.
    public List<ReplicaSet> replicaSetsOf(KubernetesObject owner) {
        return controlledBy(owner, Kind.REPLICA_SET, ReplicaSet.class);
    }

    /// The templates that `owner` has and had.
    public List<ControllerRevision> revisionsOf(KubernetesObject owner) {
        return controlledBy(owner, Kind.CONTROLLER_REVISION, ControllerRevision.class);
    }

    private <T extends KubernetesObject> List<T> controlledBy(KubernetesObject owner, Kind kind, Class<T> type) {
        return controlledBy(owner.metadata().uid(), kind).map(type::cast).toList();
    }

    /// The objects of one kind that the owner of this uid controls.
    public Stream<KubernetesObject> controlledBy(String ownerUid, Kind kind) {
        return index.dependents().values(new SnapshotIndex.Controlled(ownerUid, kind));
    }

    /// The Services whose selector the pod matches.
    public List<Service> servicesThatSelect(Pod pod) {
        Map<String, String> labels = pod.metadata().labels();
        return labels.entrySet().stream()
                .flatMap(label ->
                        index.servicesBySelector().under(pod.key().namespace(), label.getKey(), label.getValue()))
                .filter(service -> matches(service.selector(), labels))
                .toList();
    }

    /// The Services that differ from `older`, themselves or in their slices; gone ones included. In no order that means
    /// anything.
    public Set<NamespacedName> servicesChangedSince(Snapshot older) {
        Set<NamespacedName> changed = new HashSet<>();
        services().changedSince(older.services(), changed::add);
        slicesByService().changedSince(older.slicesByService(), changed::add);
        return changed;
    }

    public Snapshot at(Revision revision) {
        return new Snapshot(revision, objects, index);
    }

    private static boolean matches(Map<String, String> selector, Map<String, String> labels) {
        return labels.entrySet().containsAll(selector.entrySet());
    }

    @SuppressWarnings("unchecked") // a kind has one view, and `with` files every object under its own kind
    private <T extends KubernetesObject> PersistentMap<NamespacedName, T> typed(Kind kind) {
        return (PersistentMap<NamespacedName, T>) (PersistentMap<NamespacedName, ?>) objects(kind);
    }

    private PersistentMap<String, PersistentMap<NamespacedName, KubernetesObject>> withObjects(
            Kind kind, PersistentMap<NamespacedName, KubernetesObject> siblings) {
        return siblings.isEmpty() ? objects.without(kind.qualified()) : objects.with(kind.qualified(), siblings);
    }
}
