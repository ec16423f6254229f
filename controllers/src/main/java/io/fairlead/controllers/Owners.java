package io.fairlead.controllers;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.ObjectMeta.OwnerReference;
import java.util.Optional;
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

    static Optional<OwnerReference> controllerOf(ObjectMeta object) {
        return object.owners().stream().filter(OwnerReference::controller).findFirst();
    }

    /// The name of the controller of `object`, if it is of this kind.
    static Optional<NamespacedName> controllerOf(KubernetesObject object, Kind kind) {
        return controllerOf(object.metadata())
                .filter(owner ->
                        owner.kind().equals(kind.name()) && owner.apiVersion().equals(kind.apiVersion()))
                .map(owner -> new NamespacedName(object.key().namespace(), owner.name()));
    }
}
