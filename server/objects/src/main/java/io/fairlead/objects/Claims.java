package io.fairlead.objects;

import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import io.fairlead.kinds.Stamp;
import io.fairlead.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which Service has which address or node port.
///
/// A claim is an object of its own in the store: of an address, the IPAddress that every client can see. Only one
/// writer can create it, so no two Services ever have the same item, however many requests and servers ask at once.
/// It is stored with the Service, or before it, and given back after the Service is gone: a crash in between leaves a
/// claim too many, never one too few, and `ClaimRepair` in `upkeep` finds it.
public final class Claims {
    public static final Kind ADDRESSES = Kind.IP_ADDRESS;
    public static final Kind NODE_PORTS = new Kind("fairlead.io", "v1", "NodePort", "nodeports", false, List.of());

    private static final String MANAGED_BY = "ipaddress.kubernetes.io/managed-by";
    private static final String MANAGER = "ipallocator.k8s.io";
    private static final String FAMILY = "ipaddress.kubernetes.io/ip-family";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// One item that a Service or a client took.
    public record Claim(Kind kind, String item, Revision revision) {
        public static Claim of(ApiObject object) {
            return new Claim(object.kind(), object.key().name(), object.revision());
        }
    }

    private final Store store;
    private final WatchCache cache;
    private final Stamp stamp;

    public Claims(Store store, WatchCache cache, Stamp stamp) {
        this.store = store;
        this.cache = cache;
        this.stamp = stamp;
    }

    public boolean isTaken(Kind kind, String item) {
        return find(kind, item).isPresent();
    }

    /// The Service for which the item is taken, if it is.
    public Optional<NamespacedName> owner(Kind kind, String item) {
        return find(kind, item).map(claim -> ownerOf(claim.tree()));
    }

    /// Takes the item for a Service; nothing comes back if it is taken already.
    public Optional<Claim> take(Kind kind, String item, NamespacedName service) {
        return switch (store.put(List.of(put(kind, item, service))).getFirst()) {
            case Store.Outcome.Done(Revision revision) -> Optional.of(new Claim(kind, item, revision));
            case Store.Outcome.Conflict _ -> Optional.empty();
        };
    }

    /// The write that takes the item for a Service.
    Store.Put put(Kind kind, String item, NamespacedName service) {
        return new Store.Put(key(kind, item), Json.bytes(object(kind, item, service)), Revision.ZERO);
    }

    /// Gives the item back, if it is still this claim that holds it.
    public void release(Claim claim) throws InterruptedException {
        if (store.delete(key(claim.kind, claim.item), claim.revision) instanceof Store.Outcome.Done(var revision)) {
            cache.awaitRevision(revision, PATIENCE);
        }
    }

    /// Gives back an item that `service` had, unless it has gone to another one since.
    public void release(Kind kind, String item, NamespacedName service) throws InterruptedException {
        Optional<ApiObject> held =
                find(kind, item).filter(claim -> ownerOf(claim.tree()).equals(service));
        if (held.isPresent()) {
            release(Claim.of(held.get()));
        }
    }

    /// The Service that a claim names.
    public static NamespacedName ownerOf(JsonNode claim) {
        JsonNode parent = Json.at(claim, "spec", "parentRef");
        return new NamespacedName(Json.text(parent, "namespace"), Json.text(parent, "name"));
    }

    /// The name of a Service.
    public static NamespacedName owner(JsonNode service) {
        return new NamespacedName(Json.text(service, "metadata", "namespace"), Json.text(service, "metadata", "name"));
    }

    /// True of what [#take] made: an IPAddress that a client made is the client's, and the server never gives it back.
    public static boolean isOurs(ApiObject claim) {
        return !claim.kind().equals(ADDRESSES)
                || Json.text(claim.tree(), "metadata", "labels", MANAGED_BY).equals(MANAGER);
    }

    private Optional<ApiObject> find(Kind kind, String item) {
        return cache.of(kind).find(new NamespacedName("", item));
    }

    private static String key(Kind kind, String item) {
        return StoreKey.of(kind, new NamespacedName("", item));
    }

    private ObjectNode object(Kind kind, String item, NamespacedName service) {
        ObjectNode object = Json.object().put("kind", kind.name()).put("apiVersion", kind.apiVersion());
        ObjectNode metadata = object.putObject("metadata")
                .put("name", item)
                .put("uid", stamp.uid())
                .put("creationTimestamp", stamp.timestamp(0));
        if (kind.equals(ADDRESSES)) {
            metadata.putObject("labels")
                    .put(FAMILY, Ip.parse(item).family().toString())
                    .put(MANAGED_BY, MANAGER);
        }
        object.putObject("spec")
                .putObject("parentRef")
                .put("resource", "services")
                .put("namespace", service.namespace())
                .put("name", service.name());
        return object;
    }
}
