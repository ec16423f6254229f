package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Watches over WebSockets (K18).
@Timeout(60)
final class WebSocketTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @AutoClose
    private final TestServer server = TestServer.running();

    /// Puts the messages, and in the end `closed`, into a queue.
    private record Reader(BlockingQueue<String> messages, StringBuilder partial) implements WebSocket.Listener {
        @Override
        public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
            partial.append(text);
            if (last) {
                messages.add(partial.toString());
                partial.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            messages.add("closed " + code);
            return null;
        }

        String next() throws InterruptedException {
            return String.valueOf(messages.poll(20, TimeUnit.SECONDS));
        }
    }

    private Reader watch(HttpClient http, String path) {
        Reader reader = new Reader(new LinkedBlockingQueue<>(), new StringBuilder());
        URI uri = URI.create(server.url().replace("http:", "ws:") + path);
        http.newWebSocketBuilder().buildAsync(uri, reader).join();
        return reader;
    }

    private void create(String name) throws Exception {
        server.post(MAPS, "{\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    @Test
    void each_event_is_a_message_and_the_end_is_a_close() throws Exception {
        create("old");
        try (HttpClient http = HttpClient.newHttpClient()) {
            Reader reader = watch(
                    http, MAPS + "?watch=true&timeoutSeconds=3&fieldSelector=metadata.name%21%3Dkube-root-ca.crt");
            assertThat(Json.text(Json.parse(reader.next()), "object", "metadata", "name"))
                    .isEqualTo("old");
            create("new");
            assertThat(Json.text(Json.parse(reader.next()), "object", "metadata", "name"))
                    .isEqualTo("new");
            assertThat(reader.next()).isEqualTo("closed 1000");
        }
    }

    @Test
    void a_revision_that_is_refused_is_refused_before_the_handshake() throws Exception {
        var refused = server.raw("GET", MAPS + "?watch=true&resourceVersion=nonsense");
        assertThat(refused.statusCode()).isEqualTo(400);
    }
}
