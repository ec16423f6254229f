package io.fairlead.apiserver;

import java.util.concurrent.Semaphore;

/// How many requests are answered at the same time: those over the limit are told to come back.
///
/// A watch is not counted: it waits more than it works.
final class Traffic {
    private final Semaphore reads = new Semaphore(400);
    private final Semaphore writes = new Semaphore(200);

    /// Held while a request is answered.
    interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /// Throws a 429 where there is no place.
    Place take(ApiRequest request) {
        if (request.isWatch() || isHealth(request.path())) {
            return () -> {};
        }
        Semaphore places = request.method().equals("GET") ? reads : writes;
        if (!places.tryAcquire()) {
            throw ApiException.tooManyRequests();
        }
        return places::release;
    }

    /// A busy server is not a dead one.
    private static boolean isHealth(String path) {
        return path.startsWith("/healthz") || path.startsWith("/livez") || path.startsWith("/readyz");
    }
}
