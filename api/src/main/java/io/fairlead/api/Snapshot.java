package io.fairlead.api;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// All we know of the cluster at one revision; immutable.
///
/// A newer Snapshot shares all that did not change with the one it came from, so what differs between the two
/// is found at the cost of the change.
public record Snapshot(
        Revision revision,
        PersistentMap<String, PersistentMap<NamespacedName, KubernetesObject>> objects,
        PersistentMap<NamespacedName, PersistentMap<NamespacedName, EndpointSlice>> slicesByService,
        LabelIndex<Pod> podsByLabel,
        LabelIndex<Service> servicesBySelector) {

    public static final Snapshot EMPTY = new Snapshot(
            Revision.ZERO, PersistentMap.empty(), PersistentMap.empty(), LabelIndex.empty(), LabelIndex.empty());

    /// This Snapshot with `object` as it is now.
    public Snapshot with(KubernetesObject object) {
        PersistentMap<NamespacedName, KubernetesObject> siblings = objects(object.kind());
        Snapshot before = siblings.find(object.key()).map(this::unindexed).orElse(this);
        return before.withObjects(object.kind(), siblings.with(object.key(), object))
                .indexed(object);
    }

    /// This Snapshot without `object`.
    public Snapshot without(KubernetesObject object) {
        PersistentMap<NamespacedName, KubernetesObject> siblings = objects(object.kind());
        return siblings.find(object.key())
                .map(known -> unindexed(known).withObjects(object.kind(), siblings.without(object.key())))
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

    /// The slices of one Service, sorted by name.
    public List<EndpointSlice> slicesOf(NamespacedName service) {
        return slicesByService
                .find(service)
                .map(slices -> slices.values()
                        .sorted(Comparator.comparing(EndpointSlice::key))
                        .toList())
                .orElse(List.of());
    }

    /// The pods of a namespace that have all labels of `selector`; none where it is empty.
    public List<Pod> podsSelectedBy(String namespace, Map<String, String> selector) {
        return podsByLabel
                .candidates(namespace, selector)
                .filter(pod -> matches(selector, pod.metadata().labels()))
                .toList();
    }

    /// The Services whose selector the pod matches.
    public List<Service> servicesThatSelect(Pod pod) {
        Map<String, String> labels = pod.metadata().labels();
        return labels.entrySet().stream()
                .flatMap(label -> servicesBySelector.under(pod.key().namespace(), label.getKey(), label.getValue()))
                .filter(service -> matches(service.selector(), labels))
                .toList();
    }

    /// The Services that differ from `older`, themselves or in their slices; gone ones included.
    public Set<NamespacedName> servicesChangedSince(Snapshot older) {
        Set<NamespacedName> changed = new TreeSet<>();
        services().changedSince(older.services(), changed::add);
        slicesByService.changedSince(older.slicesByService, changed::add);
        return changed;
    }

    public Snapshot at(Revision revision) {
        return new Snapshot(revision, objects, slicesByService, podsByLabel, servicesBySelector);
    }

    private static boolean matches(Map<String, String> selector, Map<String, String> labels) {
        return labels.entrySet().containsAll(selector.entrySet());
    }

    @SuppressWarnings("unchecked") // a kind has one view, and `with` files every object under its own kind
    private <T extends KubernetesObject> PersistentMap<NamespacedName, T> typed(Kind kind) {
        return (PersistentMap<NamespacedName, T>) (PersistentMap<NamespacedName, ?>) objects(kind);
    }

    private Snapshot withObjects(Kind kind, PersistentMap<NamespacedName, KubernetesObject> siblings) {
        var all = siblings.isEmpty() ? objects.without(kind.qualified()) : objects.with(kind.qualified(), siblings);
        return new Snapshot(revision, all, slicesByService, podsByLabel, servicesBySelector);
    }

    private Snapshot indexed(KubernetesObject object) {
        return switch (object) {
            case EndpointSlice slice -> withSlices(slice.service(), siblings -> siblings.with(slice.key(), slice));
            case Pod pod ->
                withPodIndex(podsByLabel.with(pod.key(), pod.metadata().labels(), pod));
            case Service service ->
                withServiceIndex(servicesBySelector.with(service.key(), LabelIndex.oneOf(service.selector()), service));
            default -> this;
        };
    }

    private Snapshot unindexed(KubernetesObject object) {
        return switch (object) {
            case EndpointSlice slice -> withSlices(slice.service(), siblings -> siblings.without(slice.key()));
            case Pod pod ->
                withPodIndex(podsByLabel.without(pod.key(), pod.metadata().labels()));
            case Service service ->
                withServiceIndex(servicesBySelector.without(service.key(), LabelIndex.oneOf(service.selector())));
            default -> this;
        };
    }

    private Snapshot withSlices(
            NamespacedName service,
            Function<PersistentMap<NamespacedName, EndpointSlice>, PersistentMap<NamespacedName, EndpointSlice>>
                    change) {
        var slices = change.apply(slicesByService.find(service).orElse(PersistentMap.empty()));
        var all = slices.isEmpty() ? slicesByService.without(service) : slicesByService.with(service, slices);
        return new Snapshot(revision, objects, all, podsByLabel, servicesBySelector);
    }

    private Snapshot withPodIndex(LabelIndex<Pod> index) {
        return new Snapshot(revision, objects, slicesByService, index, servicesBySelector);
    }

    private Snapshot withServiceIndex(LabelIndex<Service> index) {
        return new Snapshot(revision, objects, slicesByService, podsByLabel, index);
    }
}
