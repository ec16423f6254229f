package io.fairlead.controllers;

import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import io.fairlead.api.Snapshot;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;

/// The objects of a Snapshot, by a kind that is only known at run time.
final class Lookup {
    private static final Map<Kind, Function<Snapshot, PersistentMap<NamespacedName, ? extends KubernetesObject>>> MAPS =
            Map.of(
                    Kind.SERVICE, Snapshot::services,
                    Kind.ENDPOINT_SLICE, Snapshot::endpointSlices,
                    Kind.POD, Snapshot::pods,
                    Kind.NODE, Snapshot::nodes,
                    Kind.DEPLOYMENT, Snapshot::deployments,
                    Kind.REPLICA_SET, Snapshot::replicaSets);

    private Lookup() {}

    static PersistentMap<NamespacedName, ? extends KubernetesObject> all(Snapshot snapshot, Kind kind) {
        Function<Snapshot, PersistentMap<NamespacedName, ? extends KubernetesObject>> map = MAPS.get(kind);
        if (map == null) {
            throw new IllegalArgumentException("no Snapshot holds a " + kind);
        }
        return map.apply(snapshot);
    }

    static Optional<KubernetesObject> find(Snapshot snapshot, Kind kind, NamespacedName name) {
        return all(snapshot, kind).find(name).map(Function.identity());
    }

    /// The names of the objects of one kind that differ.
    @SuppressWarnings("unchecked") // two maps of one kind hold the same type
    static Set<NamespacedName> changed(Kind kind, Snapshot before, Snapshot now) {
        Set<NamespacedName> names = new TreeSet<>();
        var newer = (PersistentMap<NamespacedName, KubernetesObject>) all(now, kind);
        var older = (PersistentMap<NamespacedName, KubernetesObject>) all(before, kind);
        newer.changedSince(older, names::add);
        return names;
    }

    /// Tells each object of a map that differs, as it was and as it is.
    static <T> void changes(
            PersistentMap<NamespacedName, T> before,
            PersistentMap<NamespacedName, T> now,
            BiConsumer<Optional<T>, Optional<T>> change) {
        now.changedSince(before, name -> change.accept(before.find(name), now.find(name)));
    }
}
