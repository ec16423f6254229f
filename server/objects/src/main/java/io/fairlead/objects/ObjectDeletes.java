package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.kinds.KindRules;
import io.fairlead.kinds.KindTable;
import io.fairlead.kinds.Stamp;
import io.fairlead.kinds.Tree;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Deletes objects: at once, or, while a finalizer still stands for a clean-up, by marking it as being deleted.
public final class ObjectDeletes {
    private static final int MOST_ATTEMPTS = 16;

    private final ObjectWrites writes;
    private final KindTable kinds;
    private final Stamp stamp;

    public ObjectDeletes(ObjectWrites writes, KindTable kinds, Stamp stamp) {
        this.writes = writes;
        this.kinds = kinds;
        this.stamp = stamp;
    }

    /// What is left of the object: `gone`, or marked.
    public record Deleted(ApiObject object, boolean gone) {}

    public Deleted delete(Kind kind, NamespacedName key, DeleteOptions options) throws InterruptedException {
        return writes.whileLocked(kind, key, () -> deleteLocked(kind, key, options));
    }

    private Deleted deleteLocked(Kind kind, NamespacedName key, DeleteOptions options) throws InterruptedException {
        KindRules rules = kinds.rules(kind);
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            ApiObject old = writes.find(kind, key);
            options.checkPreconditions(old);
            refuseIfProtected(rules, old);
            int grace = rules.graceSeconds(old.tree(), options.graceSeconds());
            if (grace > 0 || isHeld(old, options)) {
                return new Deleted(mark(old, grace, options), false);
            }
            Optional<ApiObject> removed = options.dryRun() ? Optional.of(old) : writes.remove(old);
            if (removed.isPresent()) {
                return new Deleted(removed.get(), true);
            }
        }
        throw StatusException.modified(kind, key.name());
    }

    private static void refuseIfProtected(KindRules rules, ApiObject object) {
        Optional<String> refusal = rules.deleteRefusal(object.tree());
        if (refusal.isPresent()) {
            throw StatusException.forbidden(object.kind(), object.key().name(), refusal.get());
        }
    }

    /// The same, for callers that do not mind if another client was faster.
    public Optional<ApiObject> deleteIfPresent(Kind kind, NamespacedName key, DeleteOptions options)
            throws InterruptedException {
        try {
            return Optional.of(delete(kind, key, options).object());
        } catch (StatusException e) {
            if (e.code() == 404) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static boolean isHeld(ApiObject object, DeleteOptions options) {
        return !options.propagation().finalizers(object.tree()).isEmpty()
                || !object.tree().path("spec").path("finalizers").isEmpty();
    }

    private ApiObject mark(ApiObject object, int graceSeconds, DeleteOptions options) throws InterruptedException {
        return writes.update(
                object.kind(),
                object.key(),
                UpdatePart.ALL,
                old -> marked(old, graceSeconds, options),
                options.dryRun() ? Author.SERVER.tryingOnly() : Author.SERVER);
    }

    private ObjectNode marked(ApiObject old, int graceSeconds, DeleteOptions options) {
        ObjectNode next = old.copy();
        ObjectNode metadata = Tree.object(next, "metadata");
        setFinalizers(metadata, options.propagation().finalizers(old.tree()));
        int given = Json.number(metadata, Integer.MAX_VALUE, "deletionGracePeriodSeconds");
        // A second delete can shorten the time that is left, but not lengthen it.
        if (!old.isTerminating() || given > graceSeconds) {
            metadata.put("deletionTimestamp", stamp.timestamp(graceSeconds));
            metadata.put("deletionGracePeriodSeconds", graceSeconds);
            kinds.rules(old.kind()).prepareDelete(next);
        }
        return next;
    }

    public static void setFinalizers(ObjectNode metadata, List<String> finalizers) {
        if (finalizers.isEmpty()) {
            metadata.remove("finalizers");
        } else {
            ArrayNode list = metadata.putArray("finalizers");
            finalizers.forEach(list::add);
        }
    }
}
