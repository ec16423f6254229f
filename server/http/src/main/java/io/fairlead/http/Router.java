package io.fairlead.http;

import io.fairlead.access.User;
import io.fairlead.api.Cidr;
import io.fairlead.objects.Rights;
import io.fairlead.objects.RoleGuard;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import java.util.List;
import java.util.Optional;

/// Sends a request to the part of the server that answers it, by its path: reviews of access, sessions with pods,
/// objects, discovery, health, metrics.
final class Router {
    private final Stored objects;
    private final AccessApi access;
    private final Pods pods;
    private final Documents documents;

    Router(Stored objects, AccessApi access, Pods pods, Documents documents) {
        this.objects = objects;
        this.access = access;
        this.pods = pods;
        this.documents = documents;
    }

    /// What is stored, and the rights that a write may not go beyond.
    record Stored(Api api, Rights rights, WatchCache cache, List<Cidr> nodeBlocks) {
        RoleGuard guard(User user) {
            return new RoleGuard(user, rights.current(), cache, nodeBlocks);
        }
    }

    /// What is answered by nodes and pods.
    record Pods(PodSessions sessions, ClusterProxy proxy) {}

    /// What the server says about itself.
    record Documents(Discovery discovery, ServerMetrics metrics, HealthChecks health) {}

    Answer answer(Exchange exchange) throws InterruptedException {
        ApiRequest request = exchange.request();
        User user = exchange.user();
        Optional<ReviewPath> review = ReviewPath.find(request.path());
        if (review.isPresent()) {
            return access.review(review.get(), user, request);
        }
        return request.target().isPresent() ? answer(request.target().get(), exchange) : document(request);
    }

    private Answer answer(ApiPath path, Exchange exchange) throws InterruptedException {
        ApiRequest request = exchange.request();
        return switch (path.kind().qualified() + "/" + path.subresource()) {
            case "serviceaccounts/token" -> access.token(path, request);
            case "pods/log", "pods/exec", "pods/attach", "pods/portforward" -> pods.sessions.answer(path, exchange);
            case "pods/proxy", "services/proxy", "nodes/proxy" -> pods.proxy.answer(path, exchange);
            default -> object(path, request.guardedBy(objects.guard(exchange.user())));
        };
    }

    private Answer object(ApiPath path, ApiRequest request) throws InterruptedException {
        // A form that we cannot give is refused before anything is done.
        request.representation();
        KindFace face = path.face();
        Answer answer = objects.api.answer(path, face.translate(request));
        return face.isPlain() ? answer : new Answer.Faced(answer, face);
    }

    private Answer document(ApiRequest request) {
        if (!request.method().equals("GET")) {
            if (documents.discovery.find(request).isPresent()) {
                throw StatusException.methodNotAllowed();
            }
            return nothingAt(request.path());
        }
        if (request.path().equals("/metrics")) {
            return new Answer.Text(200, ServerMetrics.contentType(), documents.metrics.text());
        }
        return documents
                .health
                .find(request)
                .or(() -> documents.discovery.find(request))
                .orElseGet(() -> nothingAt(request.path()));
    }

    /// Below a group that is served an answer is a Status, as by Kubernetes' router; elsewhere that of any web server.
    private Answer nothingAt(String path) {
        String[] parts = path.split("/", 4);
        boolean served = parts.length > 1
                && (parts[1].equals("api")
                        || parts[1].equals("version")
                        || (parts.length > 2
                                && parts[1].equals("apis")
                                && documents.discovery.groupNames().contains(parts[2])));
        if (served) {
            throw StatusException.noSuchPath();
        }
        return new Answer.Text(404, "text/plain; charset=utf-8", "404 page not found\n");
    }
}
