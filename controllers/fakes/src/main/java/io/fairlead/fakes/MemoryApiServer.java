package io.fairlead.fakes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.ClusterAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A [MemoryCluster] behind HTTP: the writing half of an API server, which a test can make refuse.
public final class MemoryApiServer implements AutoCloseable {
    static {
        // Else each answer waits 40 ms for the client to acknowledge its head.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final MemoryCluster cluster = new MemoryCluster();
    private final List<String> requests = new ArrayList<>();
    private final HttpServer server;
    private Predicate<String> refused = _ -> false;
    private Runnable afterWrite = () -> {};

    public MemoryApiServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.start();
    }

    public ApiClient client() {
        return new ApiClient(ClusterAccess.of(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort())));
    }

    /// Does something with the cluster, alone.
    public synchronized <T> T with(Function<MemoryCluster, T> action) {
        return action.apply(cluster);
    }

    public synchronized void change(Consumer<MemoryCluster> action) {
        action.accept(cluster);
    }

    public synchronized Snapshot snapshot() {
        return cluster.snapshot();
    }

    /// What was asked so far, as `POST /api/v1/…`.
    public synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    public synchronized long count(String start) {
        return requests.stream().filter(request -> request.startsWith(start)).count();
    }

    /// Requests that match are answered with 500.
    public synchronized void refuse(Predicate<String> requests) {
        refused = requests;
    }

    public synchronized void afterWrite(Runnable action) {
        afterWrite = action;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            JsonNode json = body.length == 0 ? Json.object() : Json.parse(body);
            byte[] answer;
            int code = 200;
            try {
                answer = Json.bytes(answer(
                        exchange.getRequestMethod(), exchange.getRequestURI().getPath(), json));
            } catch (ApiException e) {
                code = e.code();
                answer = Json.bytes(Json.object()
                        .put("kind", "Status")
                        .put("code", e.code())
                        .put("reason", e.reason())
                        .put("message", e.getMessage()));
            }
            exchange.sendResponseHeaders(code, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private synchronized JsonNode answer(String method, String path, JsonNode body) {
        String request = method + " " + path;
        requests.add(request);
        if (refused.test(request)) {
            throw new ApiException(500, "InternalError", "told to refuse");
        }
        JsonNode answer = carryOut(method, path, body);
        if (!method.equals("GET")) {
            afterWrite.run();
        }
        return answer;
    }

    private JsonNode carryOut(String method, String path, JsonNode body) {
        List<String> parts = List.of(path.substring(1).split("/", -1));
        int start = parts.getFirst().equals("api") ? 2 : 3;
        boolean namespaced = parts.get(start).equals("namespaces");
        String namespace = namespaced ? parts.get(start + 1) : "";
        List<String> rest = parts.subList(start + (namespaced ? 2 : 0), parts.size());
        Kind kind = Kind.find(rest.getFirst()).orElseThrow();
        Supplier<NamespacedName> name = () -> new NamespacedName(namespace, rest.get(1));
        return switch (method) {
            case "GET" -> cluster.find(kind, name.get());
            case "POST" -> rest.size() == 1 ? cluster.create(kind, (ObjectNode) body) : bind(name.get(), body);
            case "PUT" -> cluster.update(kind, (ObjectNode) body);
            case "PATCH" -> patch(kind, name.get(), rest, body);
            case "DELETE" -> {
                cluster.delete(kind, name.get(), Json.text(body, "preconditions", "uid"));
                yield Json.object().put("kind", "Status");
            }
            default -> throw new ApiException(405, "MethodNotAllowed", method);
        };
    }

    /// A patch of the status that names its object by uid is a strategic one, of a condition.
    private JsonNode patch(Kind kind, NamespacedName name, List<String> path, JsonNode body) {
        String uid = Json.text(body, "metadata", "uid");
        return path.size() > 2 && !uid.isEmpty()
                ? cluster.setCondition(kind, name, uid, (ObjectNode)
                        body.path("status").path("conditions").get(0))
                : cluster.patch(kind, name, body);
    }

    private JsonNode bind(NamespacedName pod, JsonNode body) {
        cluster.bind(pod, Json.text(body, "metadata", "uid"), Json.text(body, "target", "name"));
        return Json.object().put("kind", "Status");
    }
}
