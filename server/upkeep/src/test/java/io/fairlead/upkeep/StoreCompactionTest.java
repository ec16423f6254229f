package io.fairlead.upkeep;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Revision;
import io.fairlead.kinds.Stamp;
import io.fairlead.store.CompactedException;
import io.fairlead.store.MemoryStore;
import io.fairlead.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class StoreCompactionTest {
    private Instant now = Instant.parse("2026-11-18T12:00:00Z");

    /// A server's, as of its start: it remembers nothing of those before it.
    private StoreCompaction started(Store store) {
        return new StoreCompaction(store, new Stamp(() -> now, new Random(1)));
    }

    @Test
    void servers_that_live_shorter_than_a_period_forget_the_history_too() {
        try (Store store = new MemoryStore()) {
            for (int start = 0; start < 4; start++) {
                store.put("pods/default/p" + start, new byte[0], Revision.ZERO);
                started(store).look();
                now = now.plus(StoreCompaction.PERIOD.dividedBy(2));
            }
            assertThatThrownBy(() -> store.watch("", Revision.ZERO)).isInstanceOf(CompactedException.class);
        }
    }

    @Test
    void what_is_younger_than_a_period_stays() {
        try (Store store = new MemoryStore()) {
            store.put("pods/default/p", new byte[0], Revision.ZERO);
            started(store).look();
            now = now.plus(StoreCompaction.PERIOD).minus(Duration.ofSeconds(1));
            started(store).look();
            assertThatCode(() -> store.watch("", Revision.ZERO).close()).doesNotThrowAnyException();
        }
    }

    @Test
    void a_mark_that_cannot_be_read_or_is_ahead_of_the_store_is_replaced() {
        try (Store store = new MemoryStore()) {
            store.put(
                    StoreCompaction.KEY,
                    "{\"at\":\"never\"}".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                    Revision.ZERO);
            assertThatCode(() -> started(store).look()).doesNotThrowAnyException();
            now = now.minus(Duration.ofDays(1)); // another clock
            assertThatCode(() -> started(store).look()).doesNotThrowAnyException();
            assertThatCode(() -> store.watch("", Revision.ZERO).close()).doesNotThrowAnyException();
        }
    }
}
