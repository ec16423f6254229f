package io.fairlead.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Who an object is, and what is said about it.
///
/// `generation` counts the changes of the spec. `deletionTimestamp` is empty until a client asked for the object's
/// deletion.
public record ObjectMeta(
        NamespacedName key,
        String uid,
        Revision revision,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<OwnerReference> owners,
        List<String> finalizers,
        long generation,
        String creationTimestamp,
        String deletionTimestamp) {

    /// Whom an object belongs to.
    public record OwnerReference(String apiVersion, String kind, String name, String uid, boolean controller) {}

    public static ObjectMeta of(JsonNode object) {
        return ofMetadata(object.path("metadata"));
    }

    /// From what stands under `metadata`.
    public static ObjectMeta ofMetadata(JsonNode meta) {
        return new ObjectMeta(
                new NamespacedName(Json.text(meta, "namespace"), Json.text(meta, "name")),
                Json.text(meta, "uid"),
                revision(Json.text(meta, "resourceVersion")),
                Json.map(meta, "labels"),
                Json.map(meta, "annotations"),
                owners(meta.path("ownerReferences")),
                Json.texts(meta, "finalizers"),
                meta.path("generation").asLong(0),
                Json.text(meta, "creationTimestamp"),
                Json.text(meta, "deletionTimestamp"));
    }

    /// True from the moment a client asked for the deletion.
    public boolean isTerminating() {
        return !deletionTimestamp.isEmpty();
    }

    /// The one owner that makes and keeps this object.
    public Optional<OwnerReference> controller() {
        return owners.stream().filter(OwnerReference::controller).findFirst();
    }

    /// True if `owner` is the controller of this object.
    public boolean isControlledBy(ObjectMeta owner) {
        return controller().filter(o -> o.uid().equals(owner.uid())).isPresent();
    }

    public static List<OwnerReference> owners(JsonNode references) {
        return Json.list(references, ObjectMeta::owner);
    }

    private static OwnerReference owner(JsonNode json) {
        return new OwnerReference(
                Json.text(json, "apiVersion"),
                Json.text(json, "kind"),
                Json.text(json, "name"),
                Json.text(json, "uid"),
                Json.flag(json, false, "controller"));
    }

    /// Zero for what is no number: a revision of another kind of server.
    public static Revision revision(String text) {
        boolean digits = !text.isEmpty() && text.length() < 19 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? new Revision(Long.parseLong(text)) : Revision.ZERO;
    }
}
