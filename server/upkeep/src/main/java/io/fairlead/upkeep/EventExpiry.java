package io.fairlead.upkeep;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.kinds.Stamp;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.WatchCache;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Forgets events: an hour after they last happened, and the oldest first where there are too many.
final class EventExpiry {
    static final int MOST_EVENTS = 10_000;

    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final Duration PERIOD = Duration.ofMinutes(1);

    private final WatchCache cache;
    private final ObjectWrites writes;
    private final Stamp stamp;

    EventExpiry(WatchCache cache, ObjectWrites writes, Stamp stamp) {
        this.cache = cache;
        this.writes = writes;
        this.stamp = stamp;
    }

    void run() throws InterruptedException {
        while (true) {
            Thread.sleep(PERIOD);
            for (ApiObject event : expired(cache.of(Kind.EVENT).list("").items(), stamp.now())) {
                writes.remove(event);
            }
        }
    }

    /// The events that are older than they are kept.
    static List<ApiObject> expired(List<ApiObject> events, Instant now) {
        Instant oldest = now.minus(LIFETIME);
        List<Aged> all = events.stream()
                .map(event -> new Aged(event, lastTime(event.tree())))
                .sorted(Comparator.comparing(Aged::time))
                .toList();
        int surplus = Math.max(0, all.size() - MOST_EVENTS);
        Stream<Aged> rest = all.stream().skip(surplus).takeWhile(aged -> aged.time.isBefore(oldest));
        return Stream.concat(all.stream().limit(surplus), rest).map(Aged::event).toList();
    }

    private record Aged(ApiObject event, Instant time) {}

    /// The latest of the times that an event tells.
    private static Instant lastTime(JsonNode event) {
        return Stream.of(
                        Json.text(event, "series", "lastObservedTime"),
                        Json.text(event, "lastTimestamp"),
                        Json.text(event, "eventTime"),
                        Json.text(event, "metadata", "creationTimestamp"))
                .map(EventExpiry::time)
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }
}
