package io.fairlead.controllers;

import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta.OwnerReference;
import io.fairlead.api.Snapshot;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Deletes objects of one kind whose controlling owner is gone, or is another object of the same name by now.
public final class OwnerCollector implements Controller {
    /// The kinds whose absence a Snapshot can tell.
    private static final List<Kind> OWNERS = List.of(Kind.SERVICE, Kind.DEPLOYMENT, Kind.REPLICA_SET);

    private final Kind dependents;

    public OwnerCollector(Kind dependents) {
        this.dependents = dependents;
    }

    @Override
    public String name() {
        return "owner-collector-" + dependents.plural();
    }

    @Override
    public Set<NamespacedName> changed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = Lookup.changed(dependents, before, now);
        Set<String> gone = goneOwners(before, now);
        if (!gone.isEmpty()) {
            now.objects(dependents).forEach((name, object) -> {
                if (controller(object).filter(o -> gone.contains(o.uid())).isPresent()) {
                    changed.add(name);
                }
            });
        }
        return changed;
    }

    @Override
    public List<Write> reconcile(NamespacedName object, Snapshot now, Moment moment) {
        return Lookup.find(now, dependents, object)
                .filter(found -> !found.metadata().isTerminating())
                .flatMap(found -> controller(found).flatMap(owner -> collect(found, owner, now)))
                .stream()
                .toList();
    }

    private Optional<Write> collect(KubernetesObject object, OwnerReference reference, Snapshot now) {
        NamespacedName owner = new NamespacedName(object.key().namespace(), reference.name());
        return Kind.find(reference.apiVersion(), reference.kind())
                .filter(kind -> Lookup.find(now, kind, owner)
                        .filter(found -> found.metadata().uid().equals(reference.uid()))
                        .isEmpty())
                .map(kind -> new Write.Collect(
                        new Write.Delete(
                                dependents, object.key(), object.metadata().uid()),
                        kind,
                        owner,
                        reference.uid()));
    }

    private static Optional<OwnerReference> controller(KubernetesObject object) {
        return object.metadata()
                .controller()
                .filter(owner -> Kind.find(owner.apiVersion(), owner.kind())
                        .filter(OWNERS::contains)
                        .isPresent());
    }

    private static Set<String> goneOwners(Snapshot before, Snapshot now) {
        Set<String> gone = new HashSet<>();
        for (Kind kind : OWNERS) {
            for (NamespacedName name : Lookup.changed(kind, before, now)) {
                String uid = uid(before, kind, name);
                if (!uid.equals(uid(now, kind, name))) {
                    gone.add(uid);
                }
            }
        }
        return gone;
    }

    private static String uid(Snapshot snapshot, Kind kind, NamespacedName name) {
        return Lookup.find(snapshot, kind, name).map(o -> o.metadata().uid()).orElse("");
    }
}
