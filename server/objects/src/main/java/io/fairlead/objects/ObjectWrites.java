package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Problem;
import io.fairlead.api.Revision;
import io.fairlead.kinds.KindRules;
import io.fairlead.kinds.KindTable;
import io.fairlead.kinds.MetadataValidation;
import io.fairlead.kinds.Stamp;
import io.fairlead.kinds.Tree;
import io.fairlead.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// Creates, changes and removes objects: by the rules of their kind, by compare-and-set, and answered only when the
/// write is durable and every later read of this server shows it.
public final class ObjectWrites {
    // Within one server the lock of an object lets no two writes meet; this is for several servers on one store.
    private static final int MOST_ATTEMPTS = 16;

    /// What a write is to become of an object that is there: a new tree, made from a copy of the old one or not.
    public interface Edit {
        ObjectNode apply(ApiObject old);
    }

    private final Store store;
    private final WatchCache cache;
    private final KindTable kinds;
    private final KindMerges merges;
    private final Commits commits;
    private final Stamp stamp;
    private final AdmissionChain admissions;
    private final ObjectLocks locks = new ObjectLocks();

    public ObjectWrites(
            Store store,
            WatchCache cache,
            KindTable kinds,
            KindMerges merges,
            Map<Kind, ? extends Allocator> allocators,
            List<? extends Admission> admissions,
            Stamp stamp) {
        this.store = store;
        this.cache = cache;
        this.kinds = kinds;
        this.merges = merges;
        this.commits = new Commits(store, cache, kinds, allocators);
        this.admissions = new AdmissionChain(admissions, kinds, cache);
        this.stamp = stamp;
    }

    /// Stores a new object; its metadata has its namespace, and its name or generateName.
    public ApiObject create(Kind kind, ObjectNode object, Author author) throws InterruptedException {
        KindRules rules = kinds.rules(kind);
        merges.refuseWrongTypes(kind, Json.object(), object);
        stampNew(object, rules, author);
        NamespacedName key =
                new NamespacedName(Json.text(object, "metadata", "namespace"), Json.text(object, "metadata", "name"));
        checkNamespace(kind, key);
        prepareNew(rules, object, author);
        if (cache.of(kind).find(key).isPresent()) {
            throw StatusException.alreadyExists(kind, key.name());
        }
        if (!author.applies()) {
            trackNew(rules, object, author);
        }
        return author.dryRun() ? tryNew(rules, object) : kept(putNew(rules, key, object));
    }

    private ApiObject tryNew(KindRules rules, ObjectNode object) {
        Allocation allocation = commits.allocate(rules.kind(), MissingNode.getInstance(), object);
        return ApiObject.of(rules.kind(), allocation.object(), Revision.ZERO);
    }

    /// What was allocated may be taken in the same moment for another object: then there is something else.
    private ApiObject putNew(KindRules rules, NamespacedName key, ObjectNode object) throws InterruptedException {
        Kind kind = rules.kind();
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            Allocation allocation = commits.allocate(kind, MissingNode.getInstance(), object);
            Optional<ApiObject> done = commits.put(kind, key, Revision.ZERO, allocation);
            if (done.isPresent()) {
                return done.get();
            }
            if (store.find(StoreKey.of(kind, key)).isPresent()) {
                throw taken(kind, key);
            }
        }
        throw StatusException.unavailable("what this object needs is taken by others again and again");
    }

    /// Stores what the server itself wants to be there; false if an object of this name is there already.
    public boolean createIfAbsent(Kind kind, NamespacedName key, ObjectNode object) throws InterruptedException {
        if (exists(kind, key)) {
            return false;
        }
        object.put("apiVersion", kind.apiVersion()).put("kind", kind.name());
        ObjectNode metadata = Tree.object(object, "metadata").put("name", key.name());
        if (kind.namespaced()) {
            metadata.put("namespace", key.namespace());
        }
        try {
            create(kind, object, Author.SERVER);
            return true;
        } catch (StatusException e) {
            if (e.isAlreadyExists()) {
                return false; // by another server, in the same moment
            }
            throw e;
        }
    }

    /// Another server may have deleted the namespace after it was looked at here. Whatever came before this object can
    /// be seen by now, so that none stays behind in a namespace that is gone.
    private ApiObject kept(ApiObject created) throws InterruptedException {
        try {
            checkNamespace(created.kind(), created.key());
            return created;
        } catch (StatusException gone) {
            commits.remove(created);
            throw gone;
        }
    }

    /// A status that the server made has no owner.
    private void trackNew(KindRules rules, ObjectNode object, Author author) {
        JsonNode status = object.path("status");
        if (!rules.acceptsStatusOnCreate()) {
            object.remove("status");
        }
        merges.of(rules.kind()).track(Json.object(), object, author.owner(rules.kind()), stamp.timestamp(0));
        if (!status.isMissingNode()) {
            object.set("status", status);
        }
    }

    private void prepareNew(KindRules rules, ObjectNode object, Author author) {
        if (!rules.acceptsStatusOnCreate()) {
            object.remove("status");
        }
        merges.prune(rules.kind(), object);
        rules.prepareCreate(object);
        rules.fillDefaults(object);
        Admission.Attempt attempt =
                new Admission.Attempt(rules.kind(), MissingNode.getInstance(), object, author.dryRun());
        admissions.admit(attempt);
        author.guard().ifPresent(guard -> guard.check(rules.kind(), MissingNode.getInstance(), object));
        List<Problem> problems = new ArrayList<>(MetadataValidation.check(object, rules::nameProblem));
        problems.addAll(rules.check(object));
        StatusException.refuseIfAny(rules.kind(), Json.text(object, "metadata", "name"), problems);
        admissions.check(attempt);
        admissions.refuseInsecure(attempt, UpdatePart.SPEC, author);
    }

    /// Changes an object that is there. A tree that names a resourceVersion is a change of that version alone; one
    /// that names none is tried again on whatever the object has become in the meantime.
    public ApiObject update(Kind kind, NamespacedName key, UpdatePart part, Edit edit, Author author)
            throws InterruptedException {
        try (var _ = locks.lock(kind, key)) {
            for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
                ApiObject old = find(kind, key);
                Optional<ApiObject> done = tryUpdate(old, part, edit.apply(old), author);
                if (done.isPresent()) {
                    return done.get();
                }
            }
            throw StatusException.modified(kind, key.name());
        }
    }

    public boolean exists(Kind kind, NamespacedName key) {
        return cache.of(kind).find(key).isPresent();
    }

    /// True if there is no such object anywhere: not decided from a cache that may lag behind other servers' writes.
    public boolean isAbsent(Kind kind, NamespacedName key) throws InterruptedException {
        if (exists(kind, key)) {
            return false;
        }
        if (store.isShared()) {
            cache.awaitNewest();
        }
        return !exists(kind, key);
    }

    /// Removes an object if it still is as `old`; nothing comes back if it is not.
    public Optional<ApiObject> remove(ApiObject old) throws InterruptedException {
        return commits.remove(old);
    }

    /// What frees, in the background, what a committed write no longer needs.
    public DeferredReleases releases() {
        return commits.releases();
    }

    public ApiObject find(Kind kind, NamespacedName key) {
        return cache.of(kind).find(key).orElseThrow(() -> StatusException.notFound(kind, key.name()));
    }

    /// Work on one object.
    interface Work<T> {
        T run() throws InterruptedException;
    }

    /// Does the work while no other write of this server touches the object.
    <T> T whileLocked(Kind kind, NamespacedName key, Work<T> work) throws InterruptedException {
        try (var _ = locks.lock(kind, key)) {
            return work.run();
        }
    }

    private Optional<ApiObject> tryUpdate(ApiObject old, UpdatePart part, ObjectNode wanted, Author author)
            throws InterruptedException {
        KindRules rules = kinds.rules(old.kind());
        part.checkPreconditions(old, wanted, rules);
        ObjectNode next = part == UpdatePart.ALL
                ? checked(old, part, part.merge(old, wanted, rules))
                : admitted(old, part, wanted, author);
        if (next.equals(old.tree())) {
            return Optional.of(old);
        }
        part.countGeneration(old, next, rules);
        return author.dryRun() ? Optional.of(tried(old, next)) : commit(old, next);
    }

    /// What a client's update makes of the object, or why it may not be.
    private ObjectNode admitted(ApiObject old, UpdatePart part, ObjectNode wanted, Author author) {
        Kind kind = old.kind();
        merges.refuseWrongTypes(kind, old.tree(), wanted);
        merges.prune(kind, wanted);
        ObjectNode next = part.merge(old, wanted, kinds.rules(kind));
        Admission.Attempt attempt = new Admission.Attempt(kind, old.tree(), next, author.dryRun());
        if (part == UpdatePart.SPEC) {
            admissions.admit(attempt);
        }
        author.guard().ifPresent(guard -> guard.check(kind, old.tree(), next));
        checked(old, part, next);
        if (part == UpdatePart.SPEC) {
            admissions.check(attempt);
        }
        admissions.refuseInsecure(attempt, part, author);
        sign(old, next, author);
        return next;
    }

    private ObjectNode checked(ApiObject old, UpdatePart part, ObjectNode next) {
        StatusException.refuseIfAny(old.kind(), old.key().name(), part.check(old, next, kinds.rules(old.kind())));
        return next;
    }

    private ApiObject tried(ApiObject old, ObjectNode next) {
        return Propagation.isFinished(next)
                ? old
                : ApiObject.of(
                        old.kind(),
                        commits.allocate(old.kind(), old.tree(), next).object(),
                        old.revision());
    }

    /// Stores the change; an object that waited only for its last finalizer goes with it.
    private Optional<ApiObject> commit(ApiObject old, ObjectNode next) throws InterruptedException {
        if (Propagation.isFinished(next)) {
            return commits.remove(old).map(gone -> ApiObject.of(old.kind(), next, gone.revision()));
        }
        Allocation allocation = commits.allocate(old.kind(), old.tree(), next);
        return commits.put(old.kind(), old.key(), old.revision(), allocation);
    }

    /// Writes into `next` who changed it. An apply has done so already.
    private void sign(ApiObject old, ObjectNode next, Author author) {
        if (author.applies()) {
            return;
        }
        if (!author.subresource().isEmpty()) {
            Tree.set(
                    Tree.object(next, "metadata"),
                    "managedFields",
                    Json.at(old.tree(), "metadata", "managedFields").deepCopy());
        }
        merges.of(old.kind()).track(old.tree(), next, author.owner(old.kind()), stamp.timestamp(0));
    }

    private void stampNew(ObjectNode object, KindRules rules, Author author) {
        ObjectNode metadata = Tree.object(object, "metadata");
        if (!Json.text(metadata, "resourceVersion").isEmpty()) {
            throw StatusException.badRequest("resourceVersion should not be set on objects to be created");
        }
        metadata.remove(List.of("resourceVersion", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"));
        if (!author.applies()) {
            metadata.remove("managedFields");
        }
        String generateName = Json.text(metadata, "generateName");
        if (Json.text(metadata, "name").isEmpty() && !generateName.isEmpty()) {
            metadata.put("name", stamp.name(generateName));
        }
        metadata.put("uid", stamp.uid());
        metadata.put("creationTimestamp", stamp.timestamp(0));
        if (rules.hasGeneration()) {
            metadata.put("generation", 1);
        } else {
            metadata.remove("generation");
        }
    }

    private void checkNamespace(Kind kind, NamespacedName key) {
        if (!kind.namespaced()) {
            return;
        }
        ApiObject namespace = find(Kind.NAMESPACE, new NamespacedName("", key.namespace()));
        if (namespace.isTerminating()) {
            throw StatusException.namespaceTerminating(kind, key.name(), key.namespace());
        }
    }

    /// The key was not free: an object of this name is there, or one whose name differs only in case.
    private StatusException taken(Kind kind, NamespacedName key) {
        if (cache.of(kind).find(key).isPresent()) {
            return StatusException.alreadyExists(kind, key.name());
        }
        return cache.of(kind)
                .findInOtherCase(key)
                .map(other -> StatusException.invalid(
                        kind,
                        key.name(),
                        List.of(Problem.invalid(
                                "metadata.name", key.name(), "differs from \"" + other + "\" only in case"))))
                .orElseGet(() -> StatusException.alreadyExists(kind, key.name()));
    }
}
