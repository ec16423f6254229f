package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Which objects belong to which, by the uid of the owner: only those that name an owner are in it.
public final class Dependents {
    private final Map<String, Set<Place>> byOwner = new HashMap<>();
    private final Map<Place, Set<String>> ownersOf = new HashMap<>();

    /// Where an object is.
    public record Place(Kind kind, NamespacedName key) {
        public static Place of(ApiObject object) {
            return new Place(object.kind(), object.key());
        }
    }

    public void clear() {
        byOwner.clear();
        ownersOf.clear();
    }

    /// True if the object names an owner.
    public boolean put(ApiObject object) {
        Place place = Place.of(object);
        remove(place);
        Set<String> owners = Set.copyOf(object.owners());
        owners.forEach(uid -> byOwner.computeIfAbsent(uid, _ -> new HashSet<>()).add(place));
        if (!owners.isEmpty()) {
            ownersOf.put(place, owners);
        }
        return !owners.isEmpty();
    }

    public void remove(Place place) {
        Set<String> owners = ownersOf.remove(place);
        for (String uid : owners == null ? Set.<String>of() : owners) {
            byOwner.computeIfPresent(uid, (_, places) -> {
                places.remove(place);
                return places.isEmpty() ? null : places;
            });
        }
    }

    public List<Place> of(String ownerUid) {
        return List.copyOf(byOwner.getOrDefault(ownerUid, Set.of()));
    }

    /// The places that the owners of an object should be in; an owner of a kind that is not served is in none.
    public static List<Place> owners(ApiObject object) {
        return references(object)
                .valueStream()
                .flatMap(reference ->
                        Kind.find(Json.text(reference, "apiVersion"), Json.text(reference, "kind")).stream()
                                .map(kind -> owner(object, kind, Json.text(reference, "name"))))
                .toList();
    }

    public static JsonNode references(ApiObject object) {
        return Json.at(object.tree(), "metadata", "ownerReferences");
    }

    public static Place owner(ApiObject dependent, Kind kind, String name) {
        return new Place(
                kind, new NamespacedName(kind.namespaced() ? dependent.key().namespace() : "", name));
    }
}
