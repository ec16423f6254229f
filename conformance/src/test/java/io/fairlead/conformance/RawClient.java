package io.fairlead.conformance;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Single requests to an API server as the administrator, for what no client shows: codes, bodies, WebSockets.
final class RawClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String root;
    private final HttpClient http;

    private RawClient(String root, HttpClient http) {
        this.root = root;
        this.http = http;
    }

    static RawClient at(Path kubeconfig) throws IOException, GeneralSecurityException {
        Config config = Config.fromKubeconfig(kubeconfig.toFile());
        HttpClient http = HttpClient.newBuilder()
                .sslContext(SSLUtils.sslContext(config))
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        return new RawClient(config.getMasterUrl().replaceAll("/+$", ""), http);
    }

    record Reply(int code, String body, HttpResponse<String> whole) {
        String header(String name) {
            return whole.headers().firstValue(name).orElse("");
        }
    }

    Reply get(String path, String... headers) throws IOException, InterruptedException {
        return send("GET", path, "", headers);
    }

    /// A body is JSON unless a header says otherwise.
    Reply send(String method, String path, String body, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(root + path)).timeout(PATIENCE);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        if (!body.isEmpty() && !List.of(headers).contains("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        request.method(
                method,
                body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Reply(answer.statusCode(), answer.body(), answer);
    }

    /// One message of a WebSocket.
    record Message(boolean text, byte[] bytes) {
        String string() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /// All messages of a WebSocket until the server closes it.
    ///
    /// @param protocol the sub-protocol to offer; none where it is empty
    List<Message> messages(String path, String protocol) throws Exception {
        CompletableFuture<List<Message>> done = new CompletableFuture<>();
        WebSocket.Builder builder = http.newWebSocketBuilder();
        if (!protocol.isEmpty()) {
            builder.subprotocols(protocol);
        }
        WebSocket socket = builder.buildAsync(URI.create(root.replaceFirst("^http", "ws") + path), new Collector(done))
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        try {
            if (!socket.getSubprotocol().equals(protocol)) {
                throw new AssertionError("asked for %s, got %s".formatted(protocol, socket.getSubprotocol()));
            }
            return done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } finally {
            socket.abort();
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private static final class Collector implements WebSocket.Listener {
        private final CompletableFuture<List<Message>> done;
        private final List<Message> all = new ArrayList<>();
        private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

        Collector(CompletableFuture<List<Message>> done) {
            this.done = done;
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            return add(socket, bytes, last, false);
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            return add(socket, data.toString().getBytes(StandardCharsets.UTF_8), last, true);
        }

        private @Nullable CompletionStage<?> add(WebSocket socket, byte[] bytes, boolean last, boolean text) {
            begun.writeBytes(bytes);
            if (last) {
                all.add(new Message(text, begun.toByteArray()));
                begun.reset();
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            if (status == WebSocket.NORMAL_CLOSURE) {
                done.complete(all);
            } else {
                done.completeExceptionally(new AssertionError("closed with %d %s".formatted(status, reason)));
            }
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            done.completeExceptionally(error);
        }
    }
}
