package io.fairlead.http;

import io.fairlead.api.NamespacedName;
import io.fairlead.api.Revision;
import io.fairlead.kinds.KindRules;
import io.fairlead.kinds.KindTable;
import io.fairlead.kinds.Stamp;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.ContinueToken;
import io.fairlead.objects.KindCache;
import io.fairlead.objects.Selection;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Gets, lists and watches: all from the cache.
final class ObjectReads {
    private static final Duration CATCH_UP = Duration.ofSeconds(3);
    // As long as Kubernetes lets a watch live; a different time for each, so that clients do not all come back at once.
    private static final Duration SHORTEST_WATCH = Duration.ofMinutes(30);

    private final WatchCache cache;
    private final KindTable kinds;
    private final Stamp stamp;

    ObjectReads(WatchCache cache, KindTable kinds, Stamp stamp) {
        this.cache = cache;
        this.kinds = kinds;
        this.stamp = stamp;
    }

    Answer get(ApiPath path, ApiRequest request) throws InterruptedException {
        awaitState(request);
        return cache.of(path.kind())
                .find(path.key())
                .map(object -> Answer.ok(kinds.rules(path.kind()), object))
                .orElseThrow(() -> StatusException.notFound(path.kind(), path.name()));
    }

    Answer list(ApiPath path, ApiRequest request) throws InterruptedException {
        ListOptions options = ListOptions.of(request);
        awaitState(request);
        KindCache.Listing state = state(cache.of(path.kind()), path.namespace(), options);
        Selection selection = selection(path, request);
        List<ApiObject> rest = select(after(state.items(), options.token()), selection);
        if (rest.size() <= options.limit()) {
            return new Answer.Many(kinds.rules(path.kind()), new KindCache.Listing(rest, state.revision()));
        }
        List<ApiObject> page = rest.subList(0, options.limit());
        ContinueToken next = new ContinueToken(page.getLast().key(), Optional.of(state.revision()));
        return new Answer.Many(
                kinds.rules(path.kind()),
                new KindCache.Listing(page, state.revision()),
                new Answer.Rest(next.toString(), selection.isEverything() ? rest.size() - page.size() : -1));
    }

    /// The state that a list shows: one page after the other the same, or exactly the one that it names, or the newest.
    private static KindCache.Listing state(KindCache kind, String namespace, ListOptions options) {
        Optional<Revision> past = options.exact()
                ? Optional.of(options.revision())
                : options.token().flatMap(ContinueToken::revision);
        if (past.isEmpty()) {
            return kind.list(namespace);
        }
        try {
            return kind.listAt(namespace, past.get());
        } catch (StatusException expired) {
            throw options.token()
                    .map(token -> StatusException.expiredPage(token.inNewest().toString()))
                    .orElse(expired);
        }
    }

    private static List<ApiObject> after(List<ApiObject> sorted, Optional<ContinueToken> token) {
        if (token.isEmpty()) {
            return sorted;
        }
        NamespacedName last = token.get().after();
        int from = 0;
        int to = sorted.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (sorted.get(middle).key().compareTo(last) <= 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return sorted.subList(from, sorted.size());
    }

    Answer watch(ApiPath path, ApiRequest request) throws InterruptedException {
        if (request.query("resourceVersion").isEmpty()) {
            cache.awaitNewest(); // it begins with the newest, whichever server wrote it
        }
        KindCache kind = cache.of(path.kind());
        Duration timeout = SHORTEST_WATCH.plusSeconds(stamp.random().nextInt((int) SHORTEST_WATCH.toSeconds()));
        Selection selection = selection(path, request).only(path.name());
        WatchOptions options = WatchOptions.of(request, selection, cache.revision(), timeout);
        if (options.sendsState()) {
            awaitNotOlderThan(options.after());
        }
        KindRules rules = kinds.rules(path.kind());
        EventFormat.Form form = new EventFormat.Form(request.representation(), request.query("includeObject"));
        EventFormat format = new EventFormat(form, rules, path.face(), stamp);
        return new Answer.Stream(new WatchStream(kind, options, format, stamp));
    }

    /// The objects that a collection delete is about.
    List<ApiObject> selected(ApiPath path, ApiRequest request) {
        return select(cache.of(path.kind()).list(path.namespace()).items(), selection(path, request));
    }

    Revision revision() {
        return cache.revision();
    }

    private Selection selection(ApiPath path, ApiRequest request) {
        return Selection.of(path.namespace(), request::query, kinds.rules(path.kind()));
    }

    private static List<ApiObject> select(List<ApiObject> objects, Selection selection) {
        return selection.isEverything()
                ? objects
                : objects.stream().filter(selection).toList();
    }

    /// A client that names no revision wants the newest, whichever server wrote it; "0" is content with any (K9).
    private void awaitState(ApiRequest request) throws InterruptedException {
        if (request.query("resourceVersion").isEmpty()
                && request.query("continue").isEmpty()) {
            cache.awaitNewest();
        } else {
            awaitNotOlderThan(request.revision("resourceVersion"));
        }
    }

    private void awaitNotOlderThan(Revision asked) throws InterruptedException {
        if (!cache.awaitRevision(asked, CATCH_UP)) {
            throw StatusException.tooNew(asked, cache.revision());
        }
    }
}
