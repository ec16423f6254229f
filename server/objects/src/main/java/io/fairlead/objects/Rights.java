package io.fairlead.objects;

import io.fairlead.access.Rbac;
import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The rights of the cluster as the cache has them now: an index that is made anew when a role or a binding changed.
///
/// A request that finds nothing changed pays for four reads; the one after a change pays for the index.
public final class Rights {
    private static final List<Kind> KINDS =
            List.of(Kind.ROLE, Kind.CLUSTER_ROLE, Kind.ROLE_BINDING, Kind.CLUSTER_ROLE_BINDING);

    private record Indexed(List<Revision> revisions, Rbac rbac) {}

    private final WatchCache cache;
    private final List<KindCache> caches;
    private volatile Indexed indexed = new Indexed(List.of(), Rbac.NOTHING);

    public Rights(WatchCache cache) {
        this.cache = cache;
        this.caches = KINDS.stream().map(cache::of).toList();
    }

    public Rbac current() {
        Indexed known = indexed;
        return known.revisions.equals(revisions()) ? known.rbac : index();
    }

    private synchronized Rbac index() {
        // Taken before the objects are read: what changes in between is found by the next request.
        List<Revision> now = revisions();
        if (!indexed.revisions.equals(now)) {
            indexed = new Indexed(
                    now,
                    Rbac.of(new Rbac.Policy(
                            all(Kind.ROLE),
                            all(Kind.CLUSTER_ROLE),
                            all(Kind.ROLE_BINDING),
                            all(Kind.CLUSTER_ROLE_BINDING))));
        }
        return indexed.rbac;
    }

    private List<Revision> revisions() {
        return caches.stream().map(KindCache::newest).toList();
    }

    private List<? extends JsonNode> all(Kind kind) {
        return cache.of(kind).list("").items().stream().map(ApiObject::tree).toList();
    }
}
