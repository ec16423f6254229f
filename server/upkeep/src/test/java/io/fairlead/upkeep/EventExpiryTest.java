package io.fairlead.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.Revision;
import io.fairlead.objects.ApiObject;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EventExpiryTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private static ApiObject event(String name, String created, String last) {
        String json = "{\"metadata\":{\"name\":\"%s\",\"creationTimestamp\":\"%s\"},\"lastTimestamp\":\"%s\"}"
                .formatted(name, created, last);
        return ApiObject.of(Kind.EVENT, Json.parse(json), new Revision(1));
    }

    private static List<String> names(List<ApiObject> events) {
        return events.stream().map(event -> event.key().name()).toList();
    }

    @Test
    void an_event_goes_an_hour_after_it_last_happened() {
        var old = event("old", "2026-01-01T10:00:00Z", "2026-01-01T10:59:59Z");
        var again = event("again", "2026-01-01T10:00:00Z", "2026-01-01T11:30:00Z");
        var fresh = event("fresh", "2026-01-01T11:59:00Z", "");

        assertThat(names(EventExpiry.expired(List.of(again, old, fresh), NOW))).containsExactly("old");
    }

    @Test
    void where_there_are_too_many_the_oldest_go() {
        List<ApiObject> many = IntStream.range(0, EventExpiry.MOST_EVENTS + 2)
                .mapToObj(i -> event("e" + i, NOW.minusMillis(i).toString(), ""))
                .toList();

        assertThat(names(EventExpiry.expired(many, NOW)))
                .containsExactly("e" + (EventExpiry.MOST_EVENTS + 1), "e" + EventExpiry.MOST_EVENTS);
    }
}
