package io.fairlead.runner;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta.OwnerReference;
import io.fairlead.api.Snapshot;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Which object owns which: `ownerReferences`, read and written.
public final class Owners {
    private Owners() {}

    /// The `ownerReferences` item that says: `owner` controls me.
    public static ObjectNode reference(KubernetesObject owner) {
        return Json.object()
                .put("apiVersion", owner.kind().apiVersion())
                .put("kind", owner.kind().name())
                .put("name", owner.key().name())
                .put("uid", owner.metadata().uid())
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }

    /// Takes the reference to `owner` out of `object`; the others stay.
    public static Write release(KubernetesObject object, KubernetesObject owner) {
        return patch(
                object,
                references(object)
                        .filter(other -> !other.uid().equals(owner.metadata().uid())),
                List.of());
    }

    /// Makes `owner` the controller of `object`, which has none.
    public static Write adopt(KubernetesObject object, KubernetesObject owner) {
        return patch(object, references(object), List.of(reference(owner)));
    }

    private static Stream<OwnerReference> references(KubernetesObject object) {
        return object.metadata().owners().stream();
    }

    private static Write patch(KubernetesObject object, Stream<OwnerReference> old, List<ObjectNode> more) {
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata")
                .put("resourceVersion", object.metadata().revision().toString());
        ArrayNode references = metadata.putArray("ownerReferences");
        old.forEach(other -> references
                .addObject()
                .put("apiVersion", other.apiVersion())
                .put("kind", other.kind())
                .put("name", other.name())
                .put("uid", other.uid())
                .put("controller", other.controller()));
        more.forEach(references::add);
        return new Write.MergePatch(object.kind(), object.key(), patch);
    }

    /// The name of the controller of `object`, if it is of this kind.
    public static Optional<NamespacedName> controllerOf(KubernetesObject object, Kind kind) {
        return object.metadata()
                .controller()
                .filter(owner ->
                        owner.kind().equals(kind.name()) && owner.apiVersion().equals(kind.apiVersion()))
                .map(owner -> new NamespacedName(object.key().namespace(), owner.name()));
    }

    /// The names of the controllers, of this kind, of the pods that differ: as they were and as they are.
    public static Set<NamespacedName> ofChangedPods(Kind kind, Snapshot before, Snapshot now) {
        Set<NamespacedName> owners = new TreeSet<>();
        Lookup.changes(before.pods(), now.pods(), (old, fresh) -> {
            old.flatMap(pod -> controllerOf(pod, kind)).ifPresent(owners::add);
            fresh.flatMap(pod -> controllerOf(pod, kind)).ifPresent(owners::add);
        });
        return owners;
    }
}
