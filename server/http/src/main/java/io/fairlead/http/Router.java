package io.fairlead.http;

import io.fairlead.objects.ApiException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Sends a request to the part of the server that answers it: objects, discovery, health, metrics.
final class Router {
    private final Api api;
    private final Discovery discovery;
    private final ServerMetrics metrics;
    private final Health health;

    Router(Api api, Discovery discovery, ServerMetrics metrics, Health health) {
        this.api = api;
        this.discovery = discovery;
        this.metrics = metrics;
        this.health = health;
    }

    /// `request` is in the [#usual] form.
    Answer answer(ApiRequest request) throws InterruptedException {
        Optional<ApiPath> path = request.target();
        if (path.isPresent()) {
            // A form that we cannot give is refused before anything is done.
            request.representation();
            return answer(path.get(), request);
        }
        if (!request.method().equals("GET")) {
            throw discovery.find(request).isPresent() ? ApiException.methodNotAllowed() : ApiException.noSuchPath();
        }
        if (request.path().equals("/metrics")) {
            return new Answer.Text(200, ServerMetrics.contentType(), metrics.text());
        }
        return health.find(request).or(() -> discovery.find(request)).orElseThrow(ApiException::noSuchPath);
    }

    private Answer answer(ApiPath path, ApiRequest request) throws InterruptedException {
        KindFace face = path.face();
        Answer answer = api.answer(path, face.translate(request));
        return face.isPlain() ? answer : new Answer.Faced(answer, face);
    }

    /// The request in the one form that the rest of the server knows: a HEAD is a GET of which only the head is sent
    /// back (so a watch would never end), and a path with `/watch/` is a watch.
    static ApiRequest usual(ApiRequest request) {
        Map<String, String> query = new HashMap<>(request.query());
        String method = request.method();
        if (method.equals("HEAD")) {
            method = "GET";
            query.remove("watch");
        }
        Optional<String> watched = ApiPath.findWatched(request.path());
        watched.ifPresent(path -> query.put("watch", "true"));
        return new ApiRequest(method, watched.orElse(request.path()), query, request.headers(), request.body());
    }
}
