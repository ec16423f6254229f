package io.fairlead.controllers;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.ObjectNode;

/// Who belongs to whom.
final class Owners {
    private Owners() {}

    /// The `ownerReferences` item that says: `owner` controls me.
    static ObjectNode reference(KubernetesObject owner) {
        return Json.object()
                .put("apiVersion", owner.kind().apiVersion())
                .put("kind", owner.kind().name())
                .put("name", owner.key().name())
                .put("uid", owner.metadata().uid())
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }

    /// The name of the controller of `object`, if it is of this kind.
    static Optional<NamespacedName> controllerOf(KubernetesObject object, Kind kind) {
        return object.metadata()
                .controller()
                .filter(owner ->
                        owner.kind().equals(kind.name()) && owner.apiVersion().equals(kind.apiVersion()))
                .map(owner -> new NamespacedName(object.key().namespace(), owner.name()));
    }

    /// The names of the controllers, of this kind, of the pods that differ: as they were and as they are.
    static Set<NamespacedName> ofChangedPods(Kind kind, Snapshot before, Snapshot now) {
        Set<NamespacedName> owners = new TreeSet<>();
        Lookup.changes(before.pods(), now.pods(), (old, fresh) -> {
            old.flatMap(pod -> controllerOf(pod, kind)).ifPresent(owners::add);
            fresh.flatMap(pod -> controllerOf(pod, kind)).ifPresent(owners::add);
        });
        return owners;
    }
}
