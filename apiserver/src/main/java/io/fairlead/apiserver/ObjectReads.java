package io.fairlead.apiserver;

import io.fairlead.api.Problem;
import io.fairlead.api.Revision;
import java.time.Duration;
import java.util.List;

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
        awaitNotOlderThan(request.revision("resourceVersion"));
        return cache.of(path.kind())
                .find(path.key())
                .map(object -> Answer.ok(kinds.rules(path.kind()), object))
                .orElseThrow(() -> ApiException.notFound(path.kind(), path.name()));
    }

    Answer list(ApiPath path, ApiRequest request) throws InterruptedException {
        checkListOptions(request);
        Revision asked = request.revision("resourceVersion");
        awaitNotOlderThan(asked);
        KindCache.Listing all = cache.of(path.kind()).list(path.namespace());
        if (request.query("resourceVersionMatch").equals("Exact") && !asked.equals(all.revision())) {
            throw ApiException.expired(asked, all.revision());
        }
        return new Answer.Many(
                kinds.rules(path.kind()),
                new KindCache.Listing(select(all.items(), selection(path, request)), all.revision()));
    }

    Answer watch(ApiPath path, ApiRequest request) throws InterruptedException {
        KindCache kind = cache.of(path.kind());
        Duration timeout = SHORTEST_WATCH.plusSeconds(stamp.random().nextInt((int) SHORTEST_WATCH.toSeconds()));
        Selection selection = selection(path, request).only(path.name());
        WatchOptions options = WatchOptions.of(request, selection, cache.revision(), timeout);
        if (options.sendsState()) {
            awaitNotOlderThan(options.after());
        } else {
            kind.checkKnown(options.after());
        }
        KindRules rules = kinds.rules(path.kind());
        EventFormat format = new EventFormat(request.representation(), rules, request.query("includeObject"), stamp);
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
        return Selection.of(path, request, kinds.rules(path.kind()));
    }

    private static List<ApiObject> select(List<ApiObject> objects, Selection selection) {
        return selection.isEverything()
                ? objects
                : objects.stream().filter(selection).toList();
    }

    private void awaitNotOlderThan(Revision asked) throws InterruptedException {
        if (!cache.awaitRevision(asked, CATCH_UP)) {
            throw ApiException.tooNew(asked, cache.revision());
        }
    }

    private static void checkListOptions(ApiRequest request) {
        String match = request.query("resourceVersionMatch");
        String version = request.query("resourceVersion");
        if (!request.query("sendInitialEvents").isEmpty()) {
            throw refused("sendInitialEvents", "sendInitialEvents is forbidden for list");
        }
        if (!request.query("continue").isEmpty()) {
            throw ApiException.badRequest("continue: this server gives whole lists and no continue tokens");
        }
        if (match.isEmpty()) {
            return;
        }
        if (version.isEmpty()) {
            throw refused(
                    "resourceVersionMatch", "resourceVersionMatch is forbidden unless resourceVersion is provided");
        }
        if (match.equals("Exact") && version.equals("0")) {
            throw refused(
                    "resourceVersionMatch", "resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"");
        }
        if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
            throw ApiException.invalidOption(
                    "ListOptions", Problem.notSupported("resourceVersionMatch", match, "\"Exact\", \"NotOlderThan\""));
        }
    }

    private static ApiException refused(String field, String rule) {
        return ApiException.invalidOption("ListOptions", Problem.forbidden(field, rule));
    }
}
