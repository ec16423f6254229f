package io.fairlead.bench;

import io.fairlead.api.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A number in an annotation of a Service that several clients raise by compare-and-set: each reads it and puts it back
/// one higher, with the resourceVersion it read. What it is at the end tells whether a write was lost or made twice.
final class KillCounter {
    static final String NAME = "counter";

    private static final String ANNOTATION = "count";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final HttpClient http;
    private final URI services;
    private final Map<Integer, Long> raised = new ConcurrentHashMap<>();
    private final AtomicInteger uncertain = new AtomicInteger();
    private final List<String> faults;

    /// @param faults where to tell of what should never be
    KillCounter(HttpClient http, URI services, List<String> faults) {
        this.http = http;
        this.services = services;
        this.faults = faults;
    }

    void create() throws IOException, InterruptedException {
        String body = """
            {"metadata":{"name":"%s","annotations":{"%s":"0"}},"spec":{"ports":[{"port":80}]}}\
            """.formatted(NAME, ANNOTATION);
        HttpResponse<byte[]> reply = send(HttpRequest.newBuilder(services)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
        if (reply.statusCode() != 201) {
            throw new IllegalStateException("the counter is refused: " + text(reply));
        }
    }

    /// Raises it until `done`; several threads may.
    void run(AtomicBoolean done) throws InterruptedException {
        while (!done.get()) {
            try {
                raise();
            } catch (IOException e) {
                Thread.sleep(20); // the read was not answered
            }
        }
    }

    private void raise() throws IOException, InterruptedException {
        HttpResponse<byte[]> read = send(HttpRequest.newBuilder(URI.create(services + "/" + NAME)));
        if (read.statusCode() != 200) {
            if (read.statusCode() == 404) {
                faults.add("the counter is gone");
            }
            Thread.sleep(20);
            return;
        }
        ObjectNode service = (ObjectNode) Json.parse(read.body());
        int higher = count(service) + 1;
        ((ObjectNode) service.path("metadata").path("annotations")).put(ANNOTATION, Integer.toString(higher));
        try {
            judge(
                    higher,
                    send(HttpRequest.newBuilder(URI.create(services + "/" + NAME))
                            .header("Content-Type", "application/json")
                            .PUT(HttpRequest.BodyPublishers.ofString(service.toString()))));
        } catch (IOException e) {
            uncertain.incrementAndGet();
            Thread.sleep(20);
        }
    }

    private void judge(int higher, HttpResponse<byte[]> reply) throws InterruptedException {
        int code = reply.statusCode();
        if (code == 200) {
            Long before = raised.put(higher, KillWriter.revision(reply));
            if (before != null) {
                faults.add("the counter was raised to %d twice, first at revision %d".formatted(higher, before));
            }
        } else if (code == 504 || code == 500) {
            uncertain.incrementAndGet(); // 500: never, and then the end tells
        } else if (code != 409 && code != 503 && code != 429) {
            faults.add("the counter's PUT is answered with %d: %s".formatted(code, text(reply)));
        }
        if (code != 200) {
            Thread.sleep(10);
        }
    }

    /// The number of a counter's object.
    static int count(JsonNode service) {
        return Integer.parseInt(Json.text(service, "metadata", "annotations", ANNOTATION));
    }

    /// What each answered raise set it to, and at which revision.
    Map<Integer, Long> raised() {
        return raised;
    }

    int uncertain() {
        return uncertain.get();
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String text(HttpResponse<byte[]> reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }
}
