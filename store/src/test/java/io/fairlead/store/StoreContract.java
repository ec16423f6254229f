package io.fairlead.store;

import static io.fairlead.store.Reading.bytes;
import static io.fairlead.store.Reading.done;
import static io.fairlead.store.Reading.put;
import static io.fairlead.store.Reading.putNew;
import static io.fairlead.store.Reading.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Listing;
import io.fairlead.store.Store.Outcome;
import io.fairlead.store.Store.Stored;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What every room behind the door does: with values here, with watches in [WatchContract].
@Timeout(30)
interface StoreContract extends WatchContract {
    @Test
    default void a_new_store_is_empty_and_at_revision_zero() {
        try (Store store = open()) {
            assertThat(store.list("").items()).isEmpty();
            assertThat(store.list("").revision()).isEqualTo(Revision.ZERO);
            assertThat(store.find("a")).isEmpty();
        }
    }

    @Test
    default void what_is_put_is_found_at_the_next_revision() {
        try (Store store = open()) {
            assertThat(putNew(store, "a", "one")).isEqualTo(new Revision(1));
            assertThat(putNew(store, "b", "two")).isEqualTo(new Revision(2));
            Stored found = store.find("b").orElseThrow();
            assertThat(found.key()).isEqualTo("b");
            assertThat(text(found)).isEqualTo("two");
            assertThat(found.revision()).isEqualTo(new Revision(2));
        }
    }

    @Test
    default void an_empty_value_is_a_value() {
        try (Store store = open()) {
            putNew(store, "a", "");
            assertThat(store.find("a").orElseThrow().value()).isEmpty();
        }
    }

    @Test
    default void creating_a_key_that_is_there_is_a_conflict_and_changes_nothing() {
        try (Store store = open()) {
            Revision first = putNew(store, "a", "one");
            assertThat(store.put("a", bytes("two"), Revision.ZERO)).isEqualTo(new Outcome.Conflict(first));
            assertThat(text(store.find("a").orElseThrow())).isEqualTo("one");
            assertThat(store.list("").revision()).isEqualTo(first);
        }
    }

    @Test
    default void a_put_over_another_revision_is_a_conflict_that_names_the_actual_one() {
        try (Store store = open()) {
            Revision first = putNew(store, "a", "one");
            Revision second = put(store, "a", "two", first);
            assertThat(store.put("a", bytes("three"), first)).isEqualTo(new Outcome.Conflict(second));
            assertThat(store.put("b", bytes("three"), first)).isEqualTo(new Outcome.Conflict(Revision.ZERO));
        }
    }

    @Test
    default void a_conflict_takes_no_revision() {
        try (Store store = open()) {
            putNew(store, "a", "one");
            store.put("a", bytes("two"), Revision.ZERO);
            assertThat(putNew(store, "b", "three")).isEqualTo(new Revision(2));
        }
    }

    @Test
    default void a_deleted_key_is_gone_and_can_be_created_again() {
        try (Store store = open()) {
            Revision first = putNew(store, "a", "one");
            assertThat(store.delete("a", first)).isEqualTo(new Outcome.Done(new Revision(2)));
            assertThat(store.find("a")).isEmpty();
            assertThat(store.list("").items()).isEmpty();
            assertThat(putNew(store, "a", "again")).isEqualTo(new Revision(3));
        }
    }

    @Test
    default void a_delete_over_another_revision_or_of_nothing_is_a_conflict() {
        try (Store store = open()) {
            Revision first = putNew(store, "a", "one");
            Revision second = put(store, "a", "two", first);
            assertThat(store.delete("a", first)).isEqualTo(new Outcome.Conflict(second));
            assertThat(store.delete("b", first)).isEqualTo(new Outcome.Conflict(Revision.ZERO));
            assertThat(store.delete("b", Revision.ZERO)).isEqualTo(new Outcome.Conflict(Revision.ZERO));
            assertThat(store.list("").revision()).isEqualTo(second);
        }
    }

    @Test
    default void a_list_has_the_keys_under_its_prefix_in_order() {
        try (Store store = open()) {
            List.of("pods/b", "pod", "services/a", "pods/a", "pods/", "pods0", "pods/ä")
                    .forEach(key -> putNew(store, key, key));
            Listing pods = store.list("pods/");
            assertThat(pods.items()).extracting(Stored::key).containsExactly("pods/", "pods/a", "pods/b", "pods/ä");
            assertThat(pods.items()).extracting(Reading::text).containsExactly("pods/", "pods/a", "pods/b", "pods/ä");
            assertThat(pods.revision()).isEqualTo(new Revision(7));
        }
    }

    @Test
    default void increments_by_compare_and_set_from_many_threads_lose_nothing() throws Exception {
        int threads = 8;
        int each = 100;
        try (Store store = open()) {
            putNew(store, "counter", "0");
            List<Integer> increments = Reading.together(threads, () -> {
                for (int i = 0; i < each; i++) {
                    increment(store);
                }
                return each;
            });
            Stored counter = store.find("counter").orElseThrow();
            assertThat(increments).hasSize(threads);
            assertThat(text(counter)).isEqualTo(Integer.toString(threads * each));
            assertThat(counter.revision()).isEqualTo(new Revision(1 + threads * each));
        }
    }

    private static void increment(Store store) {
        Outcome outcome = new Outcome.Conflict(Revision.ZERO);
        while (outcome instanceof Outcome.Conflict) {
            Stored before = store.find("counter").orElseThrow();
            int value = Integer.parseInt(text(before));
            outcome = store.put("counter", bytes(Integer.toString(value + 1)), before.revision());
        }
    }

    @Test
    default void of_many_that_create_one_key_one_wins_and_the_others_learn_its_revision() throws Exception {
        try (Store store = open()) {
            for (int round = 0; round < 20; round++) {
                String key = "key" + round;
                List<Outcome> outcomes = Reading.together(16, () -> store.put(key, bytes("mine"), Revision.ZERO));
                Revision won = store.find(key).orElseThrow().revision();
                assertThat(outcomes).containsOnlyOnce(new Outcome.Done(won));
                assertThat(new HashSet<>(outcomes)).isEqualTo(Set.of(new Outcome.Done(won), new Outcome.Conflict(won)));
            }
        }
    }

    @Test
    default void a_list_after_an_answered_write_has_it_and_is_never_older() throws Exception {
        try (Store store = open()) {
            AtomicInteger names = new AtomicInteger();
            Reading.together(8, () -> {
                for (int i = 0; i < 50; i++) {
                    String key = "key" + names.incrementAndGet();
                    Revision written = putNew(store, key, "value");
                    Listing listing = store.list("");
                    assertThat(listing.items()).extracting(Stored::key).contains(key);
                    assertThat(listing.revision()).isGreaterThanOrEqualTo(written);
                    // only creates happen here, so that as many keys are there as revisions were given
                    assertThat(listing.items()).hasSize((int) listing.revision().value());
                }
                return names;
            });
        }
    }

    @Test
    default void the_newest_revision_is_that_of_the_last_write_and_a_watch_reaches_it() throws Exception {
        try (Store store = open();
                Store.Watch watch = store.watch("b", Revision.ZERO)) {
            Revision written = putNew(store, "a", "one");
            Revision newest = store.revision();
            assertThat(newest).isGreaterThanOrEqualTo(written);
            Revision reached = Revision.ZERO;
            while (newest.isAfter(reached)) {
                Store.Batch batch = watch.next().orElseThrow();
                assertThat(batch.changes()).isEmpty();
                reached = batch.upTo();
            }
        }
    }

    @Test
    default void compaction_keeps_the_newest_values() {
        try (Store store = open()) {
            Revision a = put(store, "a", "two", putNew(store, "a", "one"));
            Revision b = putNew(store, "b", "three");
            Revision gone = done(store.delete("b", b));
            store.compact(gone);
            assertThat(text(store.find("a").orElseThrow())).isEqualTo("two");
            assertThat(store.find("b")).isEmpty();
            assertThat(store.list("").revision()).isEqualTo(gone);
            assertThat(put(store, "a", "four", a)).isEqualTo(new Revision(5));
        }
    }

    @Test
    default void a_future_that_was_not_written_cannot_be_compacted() {
        try (Store store = open()) {
            putNew(store, "a", "one");
            assertThatThrownBy(() -> store.compact(new Revision(2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching("cannot compact up to revision \\d+: the newest is \\d+");
        }
    }

    @Test
    default void an_interrupted_writer_still_learns_what_became_of_its_write() {
        try (Store store = open()) {
            Thread.currentThread().interrupt();
            Revision written = putNew(store, "a", "one");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(store.find("a").orElseThrow().revision()).isEqualTo(written);
        }
    }

    @Test
    default void a_closed_store_says_so() {
        Store store = open();
        store.close();
        store.close();
        assertThatThrownBy(() -> putNew(store, "a", "one")).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.delete("a", new Revision(1))).isInstanceOf(StoreException.class);
        assertThatThrownBy(store::revision).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.find("a")).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.watch("", Revision.ZERO)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.list(""))
                .isInstanceOf(StoreException.class)
                .hasMessage("the store is closed");
    }
}
