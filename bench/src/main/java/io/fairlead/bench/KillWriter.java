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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Creates Services one after the other, changes each third and deletes each fifth, and remembers what it was answered.
/// A server that is away does not stop it: it goes on with the next name.
final class KillWriter {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Set<Integer> DEFINITE = Set.of(429, 503, 507);

    private final HttpClient http;
    private final URI services;
    private final String name;
    private final List<String> faults;

    /// What was answered: `ADDED name`, `MODIFIED name` by its revision.
    final Map<Long, String> answered = new ConcurrentHashMap<>();
    /// The names whose delete was answered.
    final Map<String, Boolean> deleted = new ConcurrentHashMap<>();
    /// The names whose create was refused for good, so that they must not be there.
    final Map<String, Integer> refused = new ConcurrentHashMap<>();
    /// How many writes got no answer, or one that does not say whether it was done.
    final AtomicInteger unanswered = new AtomicInteger();

    /// @param faults where to tell of what should never be
    KillWriter(HttpClient http, URI services, String name, List<String> faults) {
        this.http = http;
        this.services = services;
        this.name = name;
        this.faults = faults;
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

    private boolean tell(String type, String service, HttpResponse<byte[]> reply) throws InterruptedException {
        int code = reply.statusCode();
        if (code / 100 == 2) {
            String before = answered.put(revision(reply), type + " " + service);
            if (before != null) {
                faults.add("revision %d was given twice: %s, %s".formatted(revision(reply), before, service));
            }
            return true;
        }
        if (DEFINITE.contains(code)) {
            if (type.equals("ADDED")) {
                refused.put(service, code);
            }
        } else if (code / 100 == 4 || code == 500) {
            faults.add("%s %s is answered with %s"
                    .formatted(type, service, new String(reply.body(), StandardCharsets.UTF_8)));
        }
        unanswered.incrementAndGet();
        Thread.sleep(10);
        return false;
    }

    static long revision(HttpResponse<byte[]> reply) {
        return Long.parseLong(Json.text(Json.parse(reply.body()), "metadata", "resourceVersion"));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(services + path));
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofByteArray());
    }
}
