package io.fairlead.bench;

import io.fairlead.api.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/// Creates Services one after the other, changes each third and deletes each fifth, and remembers what it was answered.
/// A server that is away does not stop it: it goes on with the next name.
final class KillWriter {
    private final HttpClient http;
    private final URI services;
    private final String name;

    /// What was answered: `ADDED name`, `MODIFIED name` by its revision.
    final Map<Long, String> answered = new ConcurrentHashMap<>();
    /// The names whose delete was answered.
    final Map<String, Boolean> deleted = new ConcurrentHashMap<>();
    /// How many writes got no answer.
    final AtomicInteger unanswered = new AtomicInteger();

    KillWriter(HttpClient http, URI services, String name) {
        this.http = http;
        this.services = services;
        this.name = name;
    }

    void run(AtomicBoolean done) throws InterruptedException {
        for (int i = 1; !done.get(); i++) {
            try {
                write(name + "-" + i, i);
            } catch (IOException e) {
                unanswered.incrementAndGet();
                Thread.sleep(20); // it is dead, and will be for a while
            }
        }
    }

    private void write(String service, int number) throws IOException, InterruptedException {
        String body = """
            {"metadata":{"name":"%s"},"spec":{"ports":[{"port":80}]}}\
            """.formatted(service);
        if (!tell(
                "ADDED",
                service,
                send(request("")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))))) {
            return;
        }
        if (number % 3 == 0) {
            String patch = """
                {"metadata":{"labels":{"again":"%d"}}}\
                """.formatted(number);
            tell(
                    "MODIFIED",
                    service,
                    send(request("/" + service)
                            .header("Content-Type", "application/merge-patch+json")
                            .method("PATCH", HttpRequest.BodyPublishers.ofString(patch))));
        }
        if (number % 5 == 0) {
            HttpResponse<byte[]> gone = send(request("/" + service).DELETE());
            if (gone.statusCode() == 200) {
                deleted.put(service, true);
            } else {
                unanswered.incrementAndGet();
            }
        }
    }

    private boolean tell(String type, String service, HttpResponse<byte[]> reply) {
        if (reply.statusCode() / 100 == 4) {
            throw new IllegalStateException("refused: " + new String(reply.body(), StandardCharsets.UTF_8));
        }
        if (reply.statusCode() / 100 != 2) {
            unanswered.incrementAndGet();
            return false;
        }
        JsonNode object = Json.parse(reply.body());
        long revision = Long.parseLong(Json.text(object, "metadata", "resourceVersion"));
        String before = answered.put(revision, type + " " + service);
        if (before != null) {
            throw new IllegalStateException("revision %d was given twice: %s, %s".formatted(revision, before, service));
        }
        return true;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(services + path));
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }
}
