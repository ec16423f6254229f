package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import io.fairlead.kinds.KindTable;
import io.fairlead.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The last step of a write: the object and its claims in one compare-and-set, answered when it is durable and every
/// later read of this server shows it. What is committed is answered as done, whatever fails after it.
final class Commits {
    private static final Logger LOG = LoggerFactory.getLogger(Commits.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Store store;
    private final WatchCache cache;
    private final KindTable kinds;
    private final Map<Kind, Allocator> allocators;
    private final DeferredReleases releases = new DeferredReleases();

    Commits(Store store, WatchCache cache, KindTable kinds, Map<Kind, ? extends Allocator> allocators) {
        this.store = store;
        this.cache = cache;
        this.kinds = kinds;
        this.allocators = Map.copyOf(allocators);
    }

    DeferredReleases releases() {
        return releases;
    }

    /// Removes an object if it still is as `old`; nothing comes back if it is not.
    Optional<ApiObject> remove(ApiObject old) throws InterruptedException {
        return switch (store.delete(StoreKey.of(old.kind(), old.key()), old.revision())) {
            case Store.Outcome.Done(Revision revision) -> {
                Optional<Allocator> allocator = Optional.ofNullable(allocators.get(old.kind()));
                if (allocator.isPresent()) {
                    releases.make(() -> allocator.get().release(old.tree()));
                }
                awaitOwn(revision);
                releases.make(() -> removeCompanions(old));
                yield Optional.of(old.at(revision));
            }
            case Store.Outcome.Conflict(Revision actual) -> {
                awaitVisible(actual);
                yield Optional.empty();
            }
        };
    }

    /// Decides what the object gets; `old` is a missing node for a new one.
    Allocation allocate(Kind kind, JsonNode old, ObjectNode object) {
        Allocator allocator = allocators.get(kind);
        return allocator == null ? Allocation.nothing(object) : allocator.allocate(old, object);
    }

    private void removeCompanions(ApiObject old) throws InterruptedException {
        for (Kind kind : kinds.rules(old.kind()).companions()) {
            Optional<ApiObject> companion = cache.of(kind).find(old.key());
            if (companion.isPresent()) {
                remove(companion.get());
            }
        }
    }

    /// Stores the object and its claims if it still has the expected revision; nothing comes back if it has not.
    Optional<ApiObject> put(Kind kind, NamespacedName key, Revision expected, Allocation allocation)
            throws InterruptedException {
        Optional<Allocator> allocator = Optional.ofNullable(allocators.get(kind));
        ObjectNode stored = StoredForm.of(kind, allocation.object());
        byte[] value = Json.bytes(stored);
        List<Store.Put> puts = new ArrayList<>();
        allocator.ifPresent(known -> puts.addAll(known.claims(allocation)));
        puts.add(new Store.Put(StoreKey.of(kind, key), value, expected));
        List<Store.Outcome> outcomes = store.put(puts);
        if (outcomes.getLast() instanceof Store.Outcome.Done(Revision revision)) {
            if (allocator.isPresent()) {
                releases.make(() -> allocator.get().keep(allocation));
            }
            awaitOwn(revision);
            return Optional.of(written(kind, key, value, revision).with(stored));
        }
        if (allocator.isPresent()) {
            allocator.get().giveBack(allocation, outcomes);
        }
        for (Store.Outcome outcome : outcomes) {
            if (outcome instanceof Store.Outcome.Conflict(Revision actual)) {
                awaitVisible(actual);
            }
        }
        return Optional.empty();
    }

    /// The object that every other client reads, too, unless it has changed again already.
    private ApiObject written(Kind kind, NamespacedName key, byte[] value, Revision revision) {
        return cache.of(kind)
                .find(key)
                .filter(object -> object.revision().equals(revision))
                .orElseGet(() -> ApiObject.of(kind, value, revision));
    }

    /// What is committed is answered as done, also where this server does not hear of it for a long time.
    private void awaitOwn(Revision revision) throws InterruptedException {
        if (!cache.awaitRevision(revision, PATIENCE)) {
            LOG.warn("event=answered-before-visible revision={} cache={}", revision, cache.revision());
        }
    }

    private void awaitVisible(Revision revision) throws InterruptedException {
        if (!cache.awaitRevision(revision, PATIENCE)) {
            throw StatusException.unavailable("revision " + revision + " is stored, but cannot be read here yet");
        }
    }
}
