package io.fairlead.http;

import io.fairlead.api.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Reads the events of a watch, one by one.
final class WatchReader implements AutoCloseable {
    /// One line of the stream.
    record Event(String type, JsonNode object) {
        String name() {
            return Json.text(object, "metadata", "name");
        }

        String version() {
            return Json.text(object, "metadata", "resourceVersion");
        }

        /// `ADDED web`
        @Override
        public String toString() {
            return type + " " + name();
        }
    }

    private final int code;
    private final BufferedReader lines;

    WatchReader(int code, InputStream stream) {
        this.code = code;
        this.lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    int code() {
        return code;
    }

    /// Waits for the next event; nothing if the stream has ended.
    Optional<Event> next() throws IOException {
        String line = lines.readLine();
        if (line == null) {
            return Optional.empty();
        }
        JsonNode json = Json.parse(line);
        return Optional.of(new Event(Json.text(json, "type"), json.path("object")));
    }

    /// The next `count` events, as in `ADDED web`.
    List<String> next(int count) throws IOException {
        List<String> events = new ArrayList<>();
        while (events.size() < count) {
            events.add(next().orElseThrow(() -> new IOException("the watch ended after " + events))
                    .toString());
        }
        return events;
    }

    /// All events up to the end of the stream.
    List<Event> rest() throws IOException {
        List<Event> events = new ArrayList<>();
        for (Optional<Event> event = next(); event.isPresent(); event = next()) {
            events.add(event.get());
        }
        return events;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
