package io.fairlead.http;

import io.fairlead.api.Revision;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import io.fairlead.store.Store;
import java.util.Set;

/// Refuses only by what is newest.
///
/// Where several servers share a store, one may not have heard yet of what another was answered: an account, a role, a
/// namespace, a version. What is refused is therefore decided again, if it turns out that the store was ahead.
final class SecondLook implements Filter {
    private static final Set<Integer> BY_RIGHTS = Set.of(401, 403);
    private static final Set<Integer> BY_OBJECTS = Set.of(404, 409, 422, 429);

    private final Store store;
    private final WatchCache cache;

    SecondLook(Store store, WatchCache cache) {
        this.store = store;
        this.cache = cache;
    }

    @Override
    public Answer answer(Exchange exchange, Next next) throws InterruptedException {
        Revision known = cache.revision();
        try {
            return next.answer(exchange);
        } catch (StatusException refused) {
            if (store.isShared() && mayBeOutdated(exchange.request(), refused.code()) && isBehind(known)) {
                return next.answer(exchange);
            }
            throw refused;
        }
    }

    /// A read says itself how new it has to be, but not by which rights.
    private static boolean mayBeOutdated(ApiRequest request, int code) {
        return BY_RIGHTS.contains(code)
                || (BY_OBJECTS.contains(code) && !request.method().equals("GET"));
    }

    private boolean isBehind(Revision known) throws InterruptedException {
        cache.awaitNewest();
        return cache.revision().isAfter(known);
    }
}
