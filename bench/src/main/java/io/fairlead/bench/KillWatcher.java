package io.fairlead.bench;

import io.fairlead.api.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Watches Services from a revision on. When the connection breaks, it goes on after the last event it read, as an
/// informer does, and never lists again.
final class KillWatcher {
    /// One event: what became of which Service, at which revision.
    record Seen(long revision, String type, String name) {}

    private final HttpClient http;
    private final URI services;
    private final List<Seen> seen = Collections.synchronizedList(new ArrayList<>());
    private final List<String> faults;
    private volatile long after;

    /// @param faults where to tell of what should never be
    KillWatcher(HttpClient http, URI services, long after, List<String> faults) {
        this.faults = faults;
        this.http = http;
        this.services = services;
        this.after = after;
    }

    List<Seen> seen() {
        return seen;
    }

    /// Everything up to here has been read.
    long after() {
        return after;
    }

    void run() throws InterruptedException {
        while (true) {
            try {
                watch();
            } catch (IOException e) {
                Thread.sleep(20); // the server is dead: once more
            }
        }
    }

    private void watch() throws IOException, InterruptedException {
        URI uri = URI.create(services + "?watch=true&resourceVersion=" + after);
        HttpResponse<InputStream> response =
                http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofInputStream());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            if (response.statusCode() != 200) {
                refused(response.statusCode(), lines.readLine());
                return;
            }
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                read(line);
            }
        }
    }

    private void read(String line) throws IOException {
        JsonNode event = Json.parse(whole(line).getBytes(StandardCharsets.UTF_8));
        String type = Json.text(event, "type");
        if (type.equals("ERROR")) {
            faults.add("the watch after %d was ended: %s".formatted(after, line));
            throw new IOException("ended");
        }
        long revision = Long.parseLong(Json.text(event, "object", "metadata", "resourceVersion"));
        seen.add(new Seen(revision, type, Json.text(event, "object", "metadata", "name")));
        after = revision;
    }

    // A killed server leaves a piece of a line.
    private static String whole(String line) throws IOException {
        if (!line.endsWith("}}")) {
            throw new IOException("a piece of a line");
        }
        return line;
    }

    private void refused(int code, String body) throws InterruptedException {
        if (code == 410) {
            faults.add("the watch after %d cannot be taken up: %s".formatted(after, body));
        }
        Thread.sleep(20);
    }
}
