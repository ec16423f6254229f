package io.fairlead.upkeep;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.Author;
import io.fairlead.objects.CacheEvent;
import io.fairlead.objects.ChangeFeed;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.UpdatePart;
import io.fairlead.objects.WatchCache;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.ObjectNode;

/// Keeps in every namespace what pods there count on: the ServiceAccount `default`, and the certificate of the
/// authority by which they know the API server (K33).
final class NamespaceContents {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
    private static final Duration REST = Duration.ofHours(1);
    private static final String ACCOUNT = "default";
    private static final String AUTHORITY = "kube-root-ca.crt";

    private final WatchCache cache;
    private final ObjectWrites writes;
    private final Optional<String> authorityPem;
    private final ChangeFeed feed;
    private final Set<String> toFill = new TreeSet<>();

    /// A server without TLS has no authority to tell of.
    NamespaceContents(WatchCache cache, ObjectWrites writes, Optional<String> authorityPem) {
        this.cache = cache;
        this.writes = writes;
        this.authorityPem = authorityPem;
        this.feed = new ChangeFeed(cache, List.of(Kind.NAMESPACE, Kind.SERVICE_ACCOUNT, Kind.CONFIG_MAP));
    }

    void run() throws InterruptedException {
        Optional<ChangeFeed.Changes> changes = feed.next(REST);
        while (changes.isPresent()) {
            changes.get().changes().forEach(this::note);
            fillAll();
            changes = feed.next(toFill.isEmpty() ? REST : LOOK_AGAIN);
        }
    }

    private void note(CacheEvent.Seen change) {
        ApiObject object = change.object();
        String name = object.key().name();
        if (object.kind().equals(Kind.NAMESPACE)) {
            toFill.add(name);
        } else if (name.equals(ACCOUNT) || name.equals(AUTHORITY)) {
            toFill.add(object.key().namespace());
        }
    }

    private void fillAll() throws InterruptedException {
        for (String namespace : List.copyOf(toFill)) {
            try {
                if (isActive(namespace)) {
                    fill(namespace);
                }
                toFill.remove(namespace);
            } catch (StatusException e) {
                // Another client made it in the same moment, or the namespace goes: the next look tells.
                if (e.code() != 409 && e.code() != 403 && e.code() != 404) {
                    throw e;
                }
            }
        }
    }

    private boolean isActive(String namespace) {
        return cache.of(Kind.NAMESPACE)
                .find(new NamespacedName("", namespace))
                .filter(found -> !found.isTerminating())
                .isPresent();
    }

    private void fill(String namespace) throws InterruptedException {
        NamespacedName account = new NamespacedName(namespace, ACCOUNT);
        if (!writes.exists(Kind.SERVICE_ACCOUNT, account)) {
            writes.create(Kind.SERVICE_ACCOUNT, named(Kind.SERVICE_ACCOUNT, account), Author.SERVER);
        }
        if (authorityPem.isPresent()) {
            fillAuthority(new NamespacedName(namespace, AUTHORITY), authorityPem.get());
        }
    }

    private void fillAuthority(NamespacedName key, String pem) throws InterruptedException {
        Optional<ApiObject> found = cache.of(Kind.CONFIG_MAP).find(key);
        ObjectNode wanted = Json.object().put("ca.crt", pem);
        if (found.isEmpty()) {
            ObjectNode map = named(Kind.CONFIG_MAP, key);
            map.set("data", wanted);
            writes.create(Kind.CONFIG_MAP, map, Author.SERVER);
        } else if (!found.get().tree().path("data").equals(wanted)) {
            ObjectWrites.Edit edit = old -> {
                ObjectNode next = old.copy();
                next.set("data", wanted);
                return next;
            };
            writes.update(Kind.CONFIG_MAP, key, UpdatePart.SPEC, edit, Author.SERVER);
        }
    }

    private static ObjectNode named(Kind kind, NamespacedName key) {
        ObjectNode object = Json.object().put("apiVersion", kind.apiVersion()).put("kind", kind.name());
        object.putObject("metadata").put("name", key.name()).put("namespace", key.namespace());
        return object;
    }
}
