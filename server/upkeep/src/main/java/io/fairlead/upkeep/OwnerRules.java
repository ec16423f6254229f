package io.fairlead.upkeep;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.Author;
import io.fairlead.objects.DeleteOptions;
import io.fairlead.objects.Dependents;
import io.fairlead.objects.Dependents.Place;
import io.fairlead.objects.ObjectDeletes;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.Propagation;
import io.fairlead.objects.UpdatePart;
import io.fairlead.objects.WatchCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What becomes of an object when an owner of it goes, and of an owner that waits for its dependents (K29).
final class OwnerRules {
    private final WatchCache cache;
    private final Dependents dependents;
    private final ObjectWrites writes;
    private final ObjectDeletes deletes;

    OwnerRules(WatchCache cache, Dependents dependents, ObjectWrites writes, ObjectDeletes deletes) {
        this.cache = cache;
        this.dependents = dependents;
        this.writes = writes;
        this.deletes = deletes;
    }

    /// How an owner that is named stands.
    private enum Owner {
        THERE,
        /// Being deleted, and it waits for its dependents to go first.
        WAITING,
        GONE
    }

    /// True if the object is being deleted and waits for what the collector does.
    static boolean isWaiting(ApiObject object) {
        return waitsFor(object, Propagation.FOREGROUND_FINALIZER) || waitsFor(object, Propagation.ORPHAN_FINALIZER);
    }

    private static boolean waitsFor(ApiObject object, String finalizer) {
        return object.isTerminating()
                && Json.texts(object.tree(), "metadata", "finalizers").contains(finalizer);
    }

    void lookAt(Place place) throws InterruptedException {
        Optional<ApiObject> found = cache.of(place.kind()).find(place.key());
        if (found.isEmpty()) {
            return;
        }
        ApiObject object = found.get();
        if (waitsFor(object, Propagation.ORPHAN_FINALIZER)) {
            orphan(object);
        } else if (waitsFor(object, Propagation.FOREGROUND_FINALIZER)) {
            deleteDependents(object);
        } else if (!object.isTerminating()) {
            followOwners(object);
        }
    }

    private void orphan(ApiObject owner) throws InterruptedException {
        for (ApiObject dependent : dependentsOf(owner)) {
            dropReferences(dependent, reference -> Json.text(reference, "uid").equals(owner.uid()));
        }
        dropFinalizer(owner, Propagation.ORPHAN_FINALIZER);
    }

    private void deleteDependents(ApiObject owner) throws InterruptedException {
        boolean blocked = false;
        for (ApiObject dependent : dependentsOf(owner)) {
            if (!dependent.isTerminating()) {
                followOwners(dependent);
            }
            blocked |= cache.of(dependent.kind())
                    .find(dependent.key())
                    .filter(now -> blocks(now, owner))
                    .isPresent();
        }
        if (!blocked) {
            dropFinalizer(owner, Propagation.FOREGROUND_FINALIZER);
        }
    }

    private static boolean blocks(ApiObject dependent, ApiObject owner) {
        return Dependents.references(dependent)
                .valueStream()
                .anyMatch(reference -> Json.text(reference, "uid").equals(owner.uid())
                        && Json.flag(reference, false, "blockOwnerDeletion"));
    }

    private List<ApiObject> dependentsOf(ApiObject owner) {
        return dependents.of(owner.uid()).stream()
                .flatMap(place -> cache.of(place.kind()).find(place.key()).stream())
                .toList();
    }

    /// An object goes when none of its owners is left; while one is, it only forgets the others.
    private void followOwners(ApiObject object) throws InterruptedException {
        List<Owner> owners = new ArrayList<>();
        Dependents.references(object).forEach(reference -> owners.add(owner(object, reference)));
        boolean allThere = owners.stream().allMatch(owner -> owner == Owner.THERE);
        if (allThere) {
            return;
        }
        if (owners.contains(Owner.THERE)) {
            dropReferences(object, reference -> owner(object, reference) != Owner.THERE);
            return;
        }
        boolean foreground =
                owners.contains(Owner.WAITING) && !dependents.of(object.uid()).isEmpty();
        if (foreground && dependentsOf(object).stream().anyMatch(OwnerRules::waitsForDependents)) {
            unblockOwners(object);
        }
        deletes.deleteIfPresent(
                object.kind(),
                object.key(),
                DeleteOptions.only(object, foreground ? Propagation.FOREGROUND : Propagation.UNSAID));
    }

    private static boolean waitsForDependents(ApiObject object) {
        return waitsFor(object, Propagation.FOREGROUND_FINALIZER);
    }

    /// Where a dependent waits itself there may be a circle, in which each would wait for the next for ever.
    private void unblockOwners(ApiObject object) throws InterruptedException {
        writes.update(
                object.kind(),
                object.key(),
                UpdatePart.ALL,
                old -> {
                    ObjectNode next = old.copy();
                    Tree.objects(next.path("metadata"), "ownerReferences")
                            .forEach(reference -> reference.put("blockOwnerDeletion", false));
                    return next;
                },
                Author.SERVER);
    }

    /// An owner of a kind that is not served is taken to be there: this server cannot tell.
    private Owner owner(ApiObject dependent, JsonNode reference) {
        Optional<Kind> kind = Kind.find(Json.text(reference, "apiVersion"), Json.text(reference, "kind"));
        boolean outOfReach =
                kind.isEmpty() || (kind.get().namespaced() && !dependent.kind().namespaced());
        if (outOfReach) {
            return Owner.THERE;
        }
        Place place = Dependents.owner(dependent, kind.get(), Json.text(reference, "name"));
        return cache.of(place.kind())
                .find(place.key())
                .filter(owner -> owner.uid().equals(Json.text(reference, "uid")))
                .map(owner -> waitsFor(owner, Propagation.FOREGROUND_FINALIZER) ? Owner.WAITING : Owner.THERE)
                .orElse(Owner.GONE);
    }

    private void dropReferences(ApiObject object, Predicate<JsonNode> dropped) throws InterruptedException {
        writes.update(object.kind(), object.key(), UpdatePart.ALL, old -> without(old, dropped), Author.SERVER);
    }

    private static ObjectNode without(ApiObject object, Predicate<JsonNode> dropped) {
        ObjectNode next = object.copy();
        ObjectNode metadata = Tree.object(next, "metadata");
        if (metadata.path("ownerReferences") instanceof ArrayNode references) {
            references.removeIf(dropped);
            if (references.isEmpty()) {
                metadata.remove("ownerReferences");
            }
        }
        return next;
    }

    private void dropFinalizer(ApiObject object, String finalizer) throws InterruptedException {
        writes.update(
                object.kind(),
                object.key(),
                UpdatePart.ALL,
                old -> {
                    ObjectNode next = old.copy();
                    List<String> left = new ArrayList<>(Json.texts(next, "metadata", "finalizers"));
                    left.remove(finalizer);
                    ObjectDeletes.setFinalizers(Tree.object(next, "metadata"), left);
                    return next;
                },
                Author.SERVER);
    }
}
