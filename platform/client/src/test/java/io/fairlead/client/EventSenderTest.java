package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.EventDraft;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class EventSenderTest {
    private final List<JsonNode> received = new CopyOnWriteArrayList<>();
    private final HttpServer server = listening();
    private final TaskGroup tasks = new TaskGroup("test");
    private final ApiClient client = new ApiClient(ClusterAccess.of(
            URI.create("http://127.0.0.1:" + server.getAddress().getPort())));

    /// An API server that refuses the first.
    private HttpServer listening() {
        try {
            HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.createContext("/api/v1/namespaces/default/events", exchange -> {
                JsonNode event = Json.parse(exchange.getRequestBody().readAllBytes());
                received.add(event);
                byte[] body = Json.bytes(event);
                exchange.sendResponseHeaders(received.size() == 1 ? 403 : 201, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            http.start();
            return http;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        tasks.close();
        client.close();
        server.stop(0);
    }

    private static EventDraft draft(String reason) {
        return new EventDraft(
                Kind.SERVICE, new NamespacedName("default", "web"), "some-uid", "Warning", reason, "it is so");
    }

    @Test
    void what_is_told_reaches_the_api_server_also_after_a_refusal() {
        EventSender events = new EventSender("fairlead-proxy", InstantSource.system());
        events.send(draft("Refused"));
        events.send(draft("Taken"));
        tasks.run("events", () -> events.run(client));
        await().until(() -> received.size() == 2);
        JsonNode event = received.getLast();
        assertThat(Json.text(event, "reason")).isEqualTo("Taken");
        assertThat(Json.text(event, "source", "component")).isEqualTo("fairlead-proxy");
        assertThat(Json.text(event, "involvedObject", "uid")).isEqualTo("some-uid");
        assertThat(events.waiting()).isEmpty();
    }
}
