package io.fairlead.merge;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import io.fairlead.merge.FieldOwner.Operation;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// Server-side apply: a client says all that it wants of an object, the rest is not its business.
///
/// ```
///  live + config ─► merged ─► without what this owner applied before, no longer applies, and no other owns
///                                │
///                    changed places that others own = conflicts (or taken from them, by force)
/// ```
///
/// The rules are those of Kubernetes' KEP-555.
public final class ServerSideApply {
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    private static final String KUBECTL = "kubectl";
    private static final String BEFORE_FIRST_APPLY = "before-first-apply";

    /// Who applies, whether it takes fields from others, and what time it is.
    public record Request(FieldOwner owner, boolean force, String now) {}

    private final Shape shape;
    private final Request request;

    ServerSideApply(Shape shape, Request request) {
        this.shape = shape;
        this.request = request;
    }

    Applied apply(ObjectNode live, ObjectNode config) {
        if (!Json.at(config, "metadata", "managedFields").isEmpty()) {
            throw MergeException.malformed("metadata.managedFields must be nil");
        }
        Ownership owned = booksOf(live);
        FieldSet mine = Fields.of(shape, config);
        JsonNode next = pruned(TypedMerge.merge(shape, live, config), owned, mine);
        Comparison change = Comparison.between(shape, live, next);
        List<Applied.Conflict> conflicts = request.force() ? List.of() : conflicts(owned, change, live);
        if (!conflicts.isEmpty()) {
            return new Applied.Refused(conflicts);
        }
        ObjectNode result = next instanceof ObjectNode object ? object.deepCopy() : Json.object();
        owned.taking(change.written().union(change.removed()), request.owner())
                .with(share(owned, mine.minus(Tracking.UNOWNED), change))
                .writeTo(result);
        keepLastApplied(result, config);
        return new Applied.Done(result);
    }

    /// What an object held before its managedFields began belongs to no particular owner, nor to the first that
    /// applies.
    private Ownership booksOf(ObjectNode live) {
        Ownership owned = Ownership.of(live);
        if (live.isEmpty() || !owned.shares().isEmpty()) {
            return owned;
        }
        FieldOwner past = new FieldOwner(
                BEFORE_FIRST_APPLY, Operation.UPDATE, request.owner().apiVersion(), "");
        return owned.with(new ManagedFieldsEntry(
                past, request.now(), Fields.of(shape, live).minus(Tracking.UNOWNED)));
    }

    private JsonNode pruned(JsonNode merged, Ownership owned, FieldSet mine) {
        FieldSet last = owned.of(request.owner());
        FieldSet kept = owned.with(new ManagedFieldsEntry(request.owner(), "", FieldSet.EMPTY))
                .all()
                .union(mine);
        return TypedMerge.remove(shape, merged, last.withNamedFields(shape).minus(kept.withNamedFields(shape)));
    }

    private List<Applied.Conflict> conflicts(Ownership owned, Comparison change, JsonNode live) {
        FieldSet written = change.written();
        FieldSet ofOthers = owned.shares().stream()
                .filter(share -> !share.owner().isSameAs(request.owner()))
                .map(share -> share.fields().intersect(written))
                .reduce(FieldSet.EMPTY, FieldSet::union);
        if (ofOthers.isEmpty() || ofOthers.minus(appliedByClient(live)).isEmpty()) {
            return List.of();
        }
        FieldSet contested = ofOthers.minus(appliedByClient(live));
        return owned.shares().stream()
                .filter(share -> !share.owner().isSameAs(request.owner()))
                .sorted(ManagedFieldsEntry.ORDER)
                .flatMap(share -> share.fields().intersect(contested).paths().stream()
                        .map(path -> new Applied.Conflict(share.owner(), path)))
                .toList();
    }

    /// What `kubectl apply` wrote from the client's side and still stands: `kubectl apply --server-side` may take it
    /// over without force.
    private FieldSet appliedByClient(JsonNode live) {
        String text = Json.text(live, "metadata", "annotations", LAST_APPLIED);
        if (!request.owner().name().equals(KUBECTL) || text.isEmpty()) {
            return FieldSet.EMPTY;
        }
        JsonNode last = parse(text);
        Comparison since = Comparison.between(shape, last, live);
        return Fields.of(shape, last).minus(since.written()).minus(since.removed());
    }

    private static JsonNode parse(String text) {
        try {
            return Json.parse(text);
        } catch (ParseException e) {
            // Every client may write the annotation; one that is no JSON tells nothing.
            return MissingNode.getInstance();
        }
    }

    /// An apply that changes nothing is not told in the time either: the object stays as it is.
    private ManagedFieldsEntry share(Ownership owned, FieldSet fields, Comparison change) {
        return owned.find(request.owner())
                .filter(before -> change.isSame() && before.fields().equals(fields))
                .orElseGet(() -> new ManagedFieldsEntry(request.owner(), request.now(), fields));
    }

    /// Keeps the annotation true where there is one, so that the client may go back to applying by itself.
    private void keepLastApplied(ObjectNode result, ObjectNode config) {
        boolean kept = request.owner().name().equals(KUBECTL)
                && request.owner().subresource().isEmpty()
                && !Json.text(result, "metadata", "annotations", LAST_APPLIED).isEmpty();
        if (kept) {
            ObjectNode told = config.deepCopy();
            told.withObjectProperty("metadata")
                    .withObjectProperty("annotations")
                    .remove(LAST_APPLIED);
            result.withObjectProperty("metadata")
                    .withObjectProperty("annotations")
                    .put(LAST_APPLIED, told.toString() + "\n");
        }
    }
}
