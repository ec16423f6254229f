package io.fairlead.apiserver;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Sends a request to the part of the server that answers it: objects, discovery, health, metrics.
final class Router {
    private final Api api;
    private final Discovery discovery;
    private final ServerMetrics metrics;
    private final BooleanSupplier ready;

    Router(Api api, Discovery discovery, ServerMetrics metrics, BooleanSupplier ready) {
        this.api = api;
        this.discovery = discovery;
        this.metrics = metrics;
        this.ready = ready;
    }

    Answer answer(ApiRequest request) throws InterruptedException {
        Optional<ApiPath> path = ApiPath.find(request.path());
        if (path.isPresent()) {
            // A form that we cannot give is refused before anything is done.
            request.representation();
            return api.answer(path.get(), request);
        }
        if (!request.method().equals("GET")) {
            throw discovery.find(request.path()).isPresent()
                    ? ApiException.methodNotAllowed()
                    : ApiException.noSuchPath();
        }
        return switch (request.path()) {
            case "/healthz", "/livez", "/readyz" -> health(request);
            case "/metrics" -> new Answer.Text(200, ServerMetrics.contentType(), metrics.text());
            default ->
                discovery
                        .find(request.path())
                        .map(document -> new Answer.Document(200, document))
                        .orElseThrow(ApiException::noSuchPath);
        };
    }

    private Answer health(ApiRequest request) {
        boolean healthy = ready.getAsBoolean();
        String name = request.path().substring(1);
        String verbose = "[%s]cache %s%n%s check %s%n"
                .formatted(healthy ? "+" : "-", healthy ? "ok" : "failed", name, healthy ? "passed" : "failed");
        boolean brief = healthy && !request.query().containsKey("verbose");
        return new Answer.Text(healthy ? 200 : 500, "text/plain; charset=utf-8", brief ? "ok" : verbose);
    }
}
