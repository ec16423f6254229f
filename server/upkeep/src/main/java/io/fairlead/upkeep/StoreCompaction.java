package io.fairlead.upkeep;

import io.fairlead.api.Json;
import io.fairlead.api.Revision;
import io.fairlead.kinds.Stamp;
import io.fairlead.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Lets the store forget the history that no client can ask for any more: what is older than one period.
///
/// Which revision was the newest one period ago stands in the store itself, so that servers that live shorter than a
/// period forget too, and only one of several does it.
final class StoreCompaction {
    static final String KEY = "fairlead.io/compaction";
    static final Duration PERIOD = Duration.ofMinutes(5);
    private static final Duration LOOK = Duration.ofSeconds(30);

    private final Store store;
    private final Stamp stamp;

    StoreCompaction(Store store, Stamp stamp) {
        this.store = store;
        this.stamp = stamp;
    }

    /// The store's newest revision at a time.
    private record Mark(Instant at, Revision newest) {
        byte[] bytes() {
            return Json.bytes(Json.object().put("at", at.toString()).put("revision", newest.value()));
        }

        /// Nothing if the value is not one that this program wrote.
        static Optional<Mark> parse(byte[] value) {
            try {
                JsonNode tree = Json.parse(value);
                Instant at = Instant.parse(Json.text(tree, "at"));
                return Optional.of(
                        new Mark(at, new Revision(tree.path("revision").asLong(0))));
            } catch (DateTimeParseException | IllegalArgumentException e) {
                return Optional.empty();
            }
        }
    }

    void run() throws InterruptedException {
        while (true) {
            look();
            Thread.sleep(LOOK);
        }
    }

    /// Forgets, if the mark in the store is a period old, and sets the next one.
    void look() {
        Optional<Store.Stored> stored = store.find(KEY);
        Optional<Mark> mark = stored.flatMap(found -> Mark.parse(found.value()));
        Mark now = new Mark(stamp.now(), store.revision());
        // A mark of the future is another clock's, or another store's that was copied back.
        boolean usable = mark.filter(old -> !old.at.isAfter(now.at) && !old.newest.isAfter(now.newest))
                .isPresent();
        if (usable && mark.get().at.plus(PERIOD).isAfter(now.at)) {
            return;
        }
        Revision expected = stored.map(Store.Stored::revision).orElse(Revision.ZERO);
        boolean ours = store.put(KEY, now.bytes(), expected) instanceof Store.Outcome.Done;
        if (ours && usable) {
            store.compact(mark.get().newest);
        }
    }
}
