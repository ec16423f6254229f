package io.fairlead.upkeep;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import io.fairlead.kinds.NamespaceConditions;
import io.fairlead.kinds.NamespaceRules;
import io.fairlead.kinds.Stamp;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.Author;
import io.fairlead.objects.DeleteOptions;
import io.fairlead.objects.KindCache;
import io.fairlead.objects.ObjectDeletes;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.UpdatePart;
import io.fairlead.objects.WatchCache;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Empties the namespaces that are being deleted, and then lets them go (K33).
final class NamespaceReaper {
    private static final Logger LOG = LoggerFactory.getLogger(NamespaceReaper.class);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
    private static final Duration REST = Duration.ofHours(1);

    private final WatchCache cache;
    private final ObjectWrites writes;
    private final ObjectDeletes deletes;
    private final Stamp stamp;

    NamespaceReaper(WatchCache cache, ObjectWrites writes, ObjectDeletes deletes, Stamp stamp) {
        this.cache = cache;
        this.writes = writes;
        this.deletes = deletes;
        this.stamp = stamp;
    }

    void run() throws InterruptedException {
        KindCache namespaces = cache.of(Kind.NAMESPACE);
        Revision seen = Revision.ZERO;
        while (true) {
            KindCache.Listing listing = namespaces.list("");
            seen = listing.revision();
            boolean waiting = false;
            for (ApiObject namespace : listing.items()) {
                if (namespace.isTerminating()) {
                    waiting |= !reap(namespace);
                }
            }
            // While pods are still stopping nothing happens to their namespace, so it is looked at again soon.
            if (namespaces.await(seen, waiting ? LOOK_AGAIN : REST).isEmpty()) {
                return;
            }
        }
    }

    /// Says in its status what holds the namespace up.
    private void tell(ApiObject namespace, Map<String, Integer> left, Map<String, Integer> finalizers)
            throws InterruptedException {
        String now = stamp.timestamp(0);
        boolean told = NamespaceConditions.tell(namespace.tree(), left, finalizers, now)
                .equals(namespace.tree());
        if (!told && writes.exists(Kind.NAMESPACE, namespace.key())) {
            writes.update(
                    Kind.NAMESPACE,
                    namespace.key(),
                    UpdatePart.ALL,
                    old -> NamespaceConditions.tell(old.tree(), left, finalizers, now),
                    Author.SERVER);
        }
    }

    /// True if nothing is in the namespace any more.
    private boolean reap(ApiObject namespace) throws InterruptedException {
        String name = namespace.key().name();
        Map<String, Integer> left = new TreeMap<>();
        Map<String, Integer> finalizers = new TreeMap<>();
        for (Kind kind : Kind.ALL) {
            if (kind.namespaced()) {
                for (ApiObject object : cache.of(kind).list(name).items()) {
                    deletes.deleteIfPresent(kind, object.key(), DeleteOptions.NONE);
                }
                for (ApiObject object : cache.of(kind).list(name).items()) {
                    left.merge(kind.qualified(), 1, Integer::sum);
                    Json.texts(object.tree(), "metadata", "finalizers")
                            .forEach(finalizer -> finalizers.merge(finalizer, 1, Integer::sum));
                }
            }
        }
        boolean empty = left.isEmpty();
        if (!empty) {
            tell(namespace, left, finalizers);
        }
        if (empty && writes.exists(Kind.NAMESPACE, namespace.key())) {
            writes.update(
                    Kind.NAMESPACE,
                    namespace.key(),
                    UpdatePart.ALL,
                    old -> NamespaceRules.emptied(old.tree()),
                    Author.SERVER);
            LOG.info("event=namespace-emptied namespace={}", name);
        }
        return empty;
    }
}
