package io.fairlead.http;

import io.fairlead.api.IpPort;
import io.fairlead.api.Json;
import io.fairlead.store.MemoryStore;
import io.fairlead.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// A real server on loopback, and a client that speaks to it over HTTP.
final class TestServer implements AutoCloseable {
    static final IpPort ANY_PORT = IpPort.parse("127.0.0.1:0");

    /// What came back.
    record Reply(int code, JsonNode body, List<String> warnings) {
        String text(String... path) {
            return Json.text(body, path);
        }

        int number(String... path) {
            return Json.number(body, -1, path);
        }

        String version() {
            return text("metadata", "resourceVersion");
        }

        String message() {
            return text("message");
        }

        List<String> names() {
            return Json.list(body, item -> Json.text(item, "metadata", "name"), "items");
        }
    }

    private final Store store;
    private final ApiServer server;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private TestServer(Store store, ApiServer server) {
        this.store = store;
        this.server = server;
    }

    static TestServer start() throws InterruptedException {
        return start(ApiServerConfig.at(ANY_PORT));
    }

    /// The same, for the field of a test that JUnit closes.
    static TestServer running() {
        return running(ApiServerConfig.at(ANY_PORT));
    }

    static TestServer running(ApiServerConfig config) {
        try {
            return start(config);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while a server started", e);
        }
    }

    static TestServer start(ApiServerConfig config) throws InterruptedException {
        return start(config, new MemoryStore());
    }

    /// Closing the TestServer closes the store too.
    static TestServer start(ApiServerConfig config, Store store) throws InterruptedException {
        return new TestServer(store, ApiServer.start(config, store));
    }

    Store store() {
        return store;
    }

    String url() {
        return "http://" + server.address();
    }

    Reply get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    /// The answer in the form that `accept` asks for.
    HttpResponse<String> get(String path, String accept) throws IOException, InterruptedException {
        return http.send(request(path).header("Accept", accept).build(), HttpResponse.BodyHandlers.ofString());
    }

    /// The answer to a method with these headers, each a name and a value.
    HttpResponse<byte[]> raw(String method, String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path).method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    Reply post(String path, String body) throws IOException, InterruptedException {
        return send("POST", path, "application/json", body);
    }

    Reply put(String path, String body) throws IOException, InterruptedException {
        return send("PUT", path, "application/json", body);
    }

    Reply merge(String path, String body) throws IOException, InterruptedException {
        return send("PATCH", path, "application/merge-patch+json", body);
    }

    Reply delete(String path) throws IOException, InterruptedException {
        return send(request(path).DELETE());
    }

    Reply send(String method, String path, String contentType, String body) throws IOException, InterruptedException {
        return send(request(path)
                .header("Content-Type", contentType)
                .method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    /// The answer as text, whatever form it has.
    HttpResponse<String> exchange(String method, String path, String contentType, String accept, String body)
            throws IOException, InterruptedException {
        return http.send(
                request(path)
                        .header("Content-Type", contentType)
                        .header("Accept", accept)
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    Reply send(String method, String path, String contentType, byte[] body) throws IOException, InterruptedException {
        return send(request(path)
                .header("Content-Type", contentType)
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body)));
    }

    /// An open watch; `path` comes with its query, but without `watch=true`.
    WatchReader watch(String path) throws IOException, InterruptedException {
        String query = path.contains("?") ? "&" : "?";
        HttpRequest request = request(path + query + "watch=true").GET().build();
        HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
        return new WatchReader(response.statusCode(), response.body());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url() + path));
    }

    private Reply send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        return new Reply(
                response.statusCode(),
                Json.parse(response.body()),
                response.headers().allValues("Warning"));
    }

    /// Closes the server alone: the client still reads what it was sent.
    void closeServer() {
        server.close();
    }

    @Override
    public void close() {
        http.shutdownNow();
        server.close();
        store.close();
    }
}
