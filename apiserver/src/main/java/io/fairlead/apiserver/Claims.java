package io.fairlead.apiserver;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import io.fairlead.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Which Service has which address or node port.
///
/// A claim is a key of its own in the store. Only one writer can create it, so no two Services ever have the same item,
/// however many requests and servers ask at once. It is taken before the Service is stored and given back after the
/// Service is gone: a crash in between leaves a claim too many, never one too few, and [ClaimRepair] finds it.
final class Claims {
    /// The objects that Kubernetes too keeps for each cluster address.
    static final Kind ADDRESSES = new Kind("networking.k8s.io", "v1", "IPAddress", "ipaddresses", false, List.of("ip"));
    static final Kind NODE_PORTS = new Kind("fairlead.io", "v1", "NodePort", "nodeports", false, List.of());

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// One item that somebody took.
    record Claim(Kind kind, String item, Revision revision) {}

    private final Store store;
    private final WatchCache cache;
    private final Stamp stamp;

    Claims(Store store, WatchCache cache, Stamp stamp) {
        this.store = store;
        this.cache = cache;
        this.stamp = stamp;
    }

    boolean isTaken(Kind kind, String item) {
        return find(kind, item).isPresent();
    }

    /// Takes the item for a Service; nothing comes back if it is taken already.
    Optional<Claim> take(Kind kind, String item, NamespacedName service) {
        return switch (store.put(key(kind, item), Json.bytes(object(kind, item, service)), Revision.ZERO)) {
            case Store.Outcome.Done(Revision revision) -> Optional.of(new Claim(kind, item, revision));
            case Store.Outcome.Conflict _ -> Optional.empty();
        };
    }

    /// Gives the item back, if it is still this claim that holds it.
    void release(Claim claim) throws InterruptedException {
        if (store.delete(key(claim.kind, claim.item), claim.revision) instanceof Store.Outcome.Done(var revision)) {
            cache.awaitRevision(revision, PATIENCE);
        }
    }

    /// Gives back an item that a Service had.
    void release(Kind kind, String item) throws InterruptedException {
        Optional<ApiObject> held = find(kind, item);
        if (held.isPresent()) {
            release(new Claim(kind, item, held.get().revision()));
        }
    }

    private Optional<ApiObject> find(Kind kind, String item) {
        return cache.of(kind).find(new NamespacedName("", item));
    }

    private static String key(Kind kind, String item) {
        return StoreKey.of(kind, new NamespacedName("", item));
    }

    private ObjectNode object(Kind kind, String item, NamespacedName service) {
        ObjectNode object = Json.object().put("kind", kind.name()).put("apiVersion", kind.apiVersion());
        object.putObject("metadata")
                .put("name", item)
                .put("uid", stamp.uid())
                .put("creationTimestamp", stamp.timestamp(0));
        object.putObject("spec")
                .putObject("parentRef")
                .put("resource", "services")
                .put("namespace", service.namespace())
                .put("name", service.name());
        return object;
    }
}
