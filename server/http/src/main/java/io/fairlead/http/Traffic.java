package io.fairlead.http;

import io.fairlead.objects.ApiException;
import java.util.Set;
import java.util.concurrent.Semaphore;

/// How many requests are answered at the same time: those over the limit are told to come back.
///
/// A watch is not counted: it waits more than it works. Nor is a visit to a pod, which its agent counts.
final class Traffic {
    private static final Set<String> VISITS = Set.of("log", "exec", "attach", "portforward", "proxy");

    private final Semaphore reads;
    private final Semaphore writes;

    Traffic(Limits limits) {
        this.reads = new Semaphore(limits.reads());
        this.writes = new Semaphore(limits.writes());
    }

    /// Held while a request is answered.
    interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /// Throws a 429 where there is no place.
    Place take(ApiRequest request) {
        if (request.isWatch() || isHealth(request.path()) || isVisit(request)) {
            return () -> {};
        }
        Semaphore places = request.method().equals("GET") ? reads : writes;
        if (!places.tryAcquire()) {
            throw ApiException.tooManyRequests();
        }
        return places::release;
    }

    private static boolean isVisit(ApiRequest request) {
        return request.target()
                .filter(found -> VISITS.contains(found.subresource()))
                .isPresent();
    }

    /// A busy server is not a dead one.
    private static boolean isHealth(String path) {
        return path.startsWith("/healthz") || path.startsWith("/livez") || path.startsWith("/readyz");
    }
}
