package io.fairlead.store;

import static io.fairlead.store.Reading.beginning;
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
import io.fairlead.store.Store.Put;
import io.fairlead.store.Store.Stored;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What every room behind the door does: with values here, with watches in [WatchContract], for many at once in
/// [ManyWritersContract].
@Timeout(30)
interface StoreContract extends WatchContract, ManyWritersContract {
    @Override
    Store open();

    @Test
    default void a_new_store_is_empty() {
        try (Store store = open()) {
            assertThat(store.list("").items()).isEmpty();
            assertThat(store.find("a")).isEmpty();
        }
    }

    @Test
    default void what_is_put_is_found_at_a_later_revision_than_all_before() {
        try (Store store = open()) {
            Revision first = putNew(store, "a", "one");
            assertThat(first).isGreaterThan(Revision.ZERO);
            Revision second = putNew(store, "b", "two");
            assertThat(second).isGreaterThan(first);
            Stored found = store.find("b").orElseThrow();
            assertThat(found.key()).isEqualTo("b");
            assertThat(text(found)).isEqualTo("two");
            assertThat(found.revision()).isEqualTo(second);
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
            Revision before = store.list("").revision();
            assertThat(store.put("a", bytes("two"), Revision.ZERO)).isEqualTo(new Outcome.Conflict(first));
            assertThat(text(store.find("a").orElseThrow())).isEqualTo("one");
            assertThat(store.list("").revision()).isEqualTo(before);
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
    default void several_keys_are_written_together_each_at_a_revision_of_its_own() {
        try (Store store = open()) {
            List<Outcome> outcomes = store.put(List.of(putting("a", Revision.ZERO), putting("b", Revision.ZERO)));
            Revision a = store.find("a").orElseThrow().revision();
            Revision b = store.find("b").orElseThrow().revision();
            assertThat(outcomes).containsExactly(new Outcome.Done(a), new Outcome.Done(b));
            assertThat(a).isNotEqualTo(b);
        }
    }

    @Test
    default void if_one_of_several_keys_conflicts_none_is_written() {
        try (Store store = open()) {
            Revision there = putNew(store, "there", "one");
            assertThat(store.put(List.of(putting("a", Revision.ZERO), putting("there", Revision.ZERO))))
                    .containsExactly(new Outcome.Conflict(Revision.ZERO), new Outcome.Conflict(there));
            assertThat(store.put(List.of(putting("there", Revision.ZERO), putting("a", Revision.ZERO))))
                    .containsExactly(new Outcome.Conflict(there), new Outcome.Conflict(Revision.ZERO));
            assertThat(store.find("a")).isEmpty();
            assertThat(text(store.find("there").orElseThrow())).isEqualTo("one");
        }
    }

    @Test
    default void of_more_keys_than_a_store_takes_at_once_none_is_written_without_those_before_it() {
        try (Store store = open()) {
            List<Put> puts = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                puts.add(putting("key" + i, Revision.ZERO));
            }
            assertThat(store.put(puts))
                    .hasSize(300)
                    .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Done.class));
            puts.set(0, putting("new", Revision.ZERO));
            List<Outcome> outcomes = store.put(puts);
            assertThat(outcomes.subList(1, 300))
                    .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Conflict.class));
            assertThat(store.find("new").isPresent()).isEqualTo(outcomes.getFirst() instanceof Outcome.Done);
        }
    }

    private static Put putting(String key, Revision expected) {
        return new Put(key, bytes(key), expected);
    }

    @Test
    default void a_revision_of_another_key_or_of_the_moment_is_a_conflict_too() {
        try (Store store = open()) {
            Revision a = putNew(store, "a", "one");
            Revision near = new Revision(a.value() + 1);
            assertThat(store.put("a", bytes("two"), near)).isEqualTo(new Outcome.Conflict(a));
            assertThat(store.delete("a", near)).isEqualTo(new Outcome.Conflict(a));
            Revision b = putNew(store, "b", "three");
            assertThat(store.delete("a", b)).isEqualTo(new Outcome.Conflict(a));
        }
    }

    @Test
    default void a_deleted_key_is_gone_and_can_be_created_again() {
        try (Store store = open()) {
            Revision first = putNew(store, "a", "one");
            Revision gone = done(store.delete("a", first));
            assertThat(gone).isGreaterThan(first);
            assertThat(store.find("a")).isEmpty();
            assertThat(store.list("").items()).isEmpty();
            assertThat(putNew(store, "a", "again")).isGreaterThan(gone);
        }
    }

    @Test
    default void a_delete_over_another_revision_or_of_nothing_is_a_conflict() {
        try (Store store = open()) {
            Revision first = putNew(store, "a", "one");
            Revision second = put(store, "a", "two", first);
            Revision before = store.list("").revision();
            assertThat(store.delete("a", first)).isEqualTo(new Outcome.Conflict(second));
            assertThat(store.delete("b", first)).isEqualTo(new Outcome.Conflict(Revision.ZERO));
            assertThat(store.delete("b", Revision.ZERO)).isEqualTo(new Outcome.Conflict(Revision.ZERO));
            assertThat(store.list("").revision()).isEqualTo(before);
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
            assertThat(pods.revision())
                    .isGreaterThanOrEqualTo(store.find("pods/ä").orElseThrow().revision());
        }
    }

    @Test
    default void the_newest_revision_is_that_of_the_last_write_and_a_watch_reaches_it() throws Exception {
        try (Store store = open();
                Store.Watch watch = store.watch("b", beginning(store))) {
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
            assertThat(store.list("").revision()).isGreaterThanOrEqualTo(gone);
            assertThat(put(store, "a", "four", a)).isGreaterThan(gone);
        }
    }

    @Test
    default void a_future_that_was_not_written_cannot_be_compacted() {
        try (Store store = open()) {
            putNew(store, "a", "one");
            Revision future = new Revision(store.revision().value() + 1_000_000);
            assertThatThrownBy(() -> store.compact(future))
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
