package io.fairlead.http;

import io.fairlead.objects.ApiException;
import java.util.Set;
import java.util.concurrent.Semaphore;

/// How many requests are answered at the same time: one over the limit gets a 429.
///
/// A watch is not counted: it waits more than it works. Nor is a session with a pod, which its agent counts.
final class RequestLimits {
    private static final Set<String> SESSIONS = Set.of("log", "exec", "attach", "portforward", "proxy");

    private final Semaphore reads;
    private final Semaphore writes;

    RequestLimits(Limits limits) {
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
        if ((request.method().equals("GET") && request.isWatch()) || isHealth(request.path()) || isSession(request)) {
            return () -> {};
        }
        Semaphore places = request.method().equals("GET") ? reads : writes;
        if (!places.tryAcquire()) {
            throw ApiException.tooManyRequests();
        }
        return places::release;
    }

    private static boolean isSession(ApiRequest request) {
        return request.target()
                .filter(found -> SESSIONS.contains(found.subresource()))
                .isPresent();
    }

    /// A busy server is not a dead one.
    private static boolean isHealth(String path) {
        return path.startsWith("/healthz") || path.startsWith("/livez") || path.startsWith("/readyz");
    }
}
