package io.fairlead.runner;

import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.PersistentMap;
import io.fairlead.api.Snapshot;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/// The objects of a Snapshot, by a kind that is only known at run time.
public final class Lookup {
    private Lookup() {}

    public static Optional<KubernetesObject> find(Snapshot snapshot, Kind kind, NamespacedName name) {
        return snapshot.objects(kind).find(name);
    }

    /// The names of the objects of one kind that differ.
    public static Set<NamespacedName> changed(Kind kind, Snapshot before, Snapshot now) {
        Set<NamespacedName> names = new TreeSet<>();
        now.objects(kind).changedSince(before.objects(kind), names::add);
        return names;
    }

    /// Tells each object of a map that differs, as it was and as it is.
    public static <T> void changes(
            PersistentMap<NamespacedName, T> before,
            PersistentMap<NamespacedName, T> now,
            BiConsumer<Optional<T>, Optional<T>> change) {
        now.changedSince(before, name -> change.accept(before.find(name), now.find(name)));
    }
}
