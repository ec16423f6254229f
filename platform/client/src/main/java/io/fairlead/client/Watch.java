package io.fairlead.client;

import io.fairlead.api.Json;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.ParseException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The events of one watch, in order, until the server ends it or we close it.
///
/// It has one reader. A broken connection, a watch that outlives its time, and an ERROR event are [ApiException]s.
public final class Watch implements AutoCloseable {
    private static final int MAX_EVENT = 32 << 20;

    private final BodyPieces pieces;
    private final LineReader lines;
    private final long deadline;

    Watch(BodyPieces pieces, Duration longest) {
        this.pieces = pieces;
        this.lines = new LineReader(pieces, MAX_EVENT);
        this.deadline = System.nanoTime() + longest.toNanos();
    }

    /// Waits for the next event; nothing when the server ended the watch in good order.
    public Optional<WatchEvent<ObjectNode>> next() throws InterruptedException {
        try {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            return lines.next(left).map(Watch::event);
        } catch (IOException e) {
            throw new ApiException("watch: " + e.getMessage(), e);
        }
    }

    /// True if an event is here already, so that [#next] would not wait.
    public boolean isReady() throws InterruptedException {
        try {
            return lines.isReady();
        } catch (IOException e) {
            throw new ApiException("watch: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        pieces.close();
    }

    private static WatchEvent<ObjectNode> event(byte[] line) {
        JsonNode event = parsed(line);
        if (!(event.path("object") instanceof ObjectNode object)) {
            throw new ApiException(0, "", "watch: an event without an object");
        }
        String type = Json.text(event, "type");
        return switch (type) {
            case "ADDED" -> new WatchEvent.Added<>(object);
            case "MODIFIED" -> new WatchEvent.Modified<>(object);
            case "DELETED" -> new WatchEvent.Deleted<>(object);
            case "BOOKMARK" -> new WatchEvent.Bookmark<>(ObjectMeta.of(object).revision());
            case "ERROR" -> throw StatusErrors.of(object, 500);
            default -> throw new ApiException(0, "", "watch: an event of the unknown type \"%s\"".formatted(type));
        };
    }

    private static JsonNode parsed(byte[] line) {
        try {
            return Json.parseTrusted(line);
        } catch (ParseException e) {
            throw new ApiException("watch: an event is " + e.getMessage(), e);
        }
    }
}
