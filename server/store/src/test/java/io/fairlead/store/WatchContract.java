package io.fairlead.store;

import static io.fairlead.store.Reading.beginning;
import static io.fairlead.store.Reading.done;
import static io.fairlead.store.Reading.put;
import static io.fairlead.store.Reading.putNew;
import static io.fairlead.store.Reading.read;
import static io.fairlead.store.Reading.readText;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Change;
import io.fairlead.store.Store.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What every room behind the door does with watches and with the history they come from.
@Timeout(30)
interface WatchContract {
    /// A new store with nothing in it.
    Store open();

    @Test
    default void a_watch_gives_each_change_with_the_value_before_it() throws Exception {
        try (Store store = open();
                Watch watch = store.watch("", beginning(store))) {
            Story story = Story.write(store);
            assertThat(readText(watch, 5)).isEqualTo(story.told());
        }
    }

    @Test
    default void a_watch_from_the_past_gives_the_same_changes_from_the_history() throws Exception {
        try (Store store = open()) {
            Revision beginning = beginning(store);
            Story story = Story.write(store);
            try (Watch all = store.watch("", beginning);
                    Watch late = store.watch("", story.at.get(2))) {
                assertThat(readText(all, 5)).isEqualTo(story.told());
                assertThat(readText(late, 2)).isEqualTo(story.told().subList(3, 5));
            }
        }
    }

    /// Five writes.
    record Story(List<Revision> at) {
        static Story write(Store store) {
            Revision a = putNew(store, "a", "one");
            Revision b = putNew(store, "b", "x");
            Revision two = put(store, "a", "two", a);
            return new Story(List.of(a, b, two, done(store.delete("a", two)), putNew(store, "a", "three")));
        }

        /// How a watch tells of them.
        List<String> told() {
            return List.of(
                    at.get(0) + " put a=one",
                    at.get(1) + " put b=x",
                    at.get(2) + " put a=two was one@" + at.get(0),
                    at.get(3) + " delete a was two@" + at.get(2),
                    at.get(4) + " put a=three");
        }
    }

    @Test
    default void a_watch_goes_from_the_history_over_to_what_happens_now() throws Exception {
        try (Store store = open()) {
            Revision beginning = beginning(store);
            Revision past = putNew(store, "a", "past");
            try (Watch watch = store.watch("", beginning)) {
                Revision now = putNew(store, "b", "now");
                assertThat(readText(watch, 2)).containsExactly(past + " put a=past", now + " put b=now");
                Revision later = putNew(store, "c", "later");
                assertThat(readText(watch, 1)).containsExactly(later + " put c=later");
            }
        }
    }

    @Test
    default void a_watch_gives_only_what_is_under_its_prefix() throws Exception {
        try (Store store = open()) {
            Revision beginning = beginning(store);
            Revision a = putNew(store, "pods/a", "past");
            putNew(store, "pods", "past");
            putNew(store, "services/a", "past");
            try (Watch watch = store.watch("pods/", beginning)) {
                putNew(store, "services/b", "now");
                Revision b = putNew(store, "pods/b", "now");
                assertThat(readText(watch, 2)).containsExactly(a + " put pods/a=past", b + " put pods/b=now");
            }
        }
    }

    @Test
    default void a_watch_after_a_revision_to_come_begins_there() throws Exception {
        try (Store store = open()) {
            Revision past = putNew(store, "z", "past");
            Revision first = put(store, "z", "first", past);
            // as far again: the next write gets it, or a revision before it
            Revision toCome = new Revision(2 * first.value() - past.value());
            try (Watch watch = store.watch("", toCome)) {
                List<Revision> written = new ArrayList<>(List.of(first));
                while (!written.getLast().isAfter(toCome)) {
                    written.add(put(store, "z", "more", written.getLast()));
                }
                assertThat(read(watch, 1)).extracting(Change::revision).containsExactly(written.getLast());
            }
        }
    }

    @Test
    default void a_long_history_comes_whole() throws Exception {
        int total = 2_500;
        try (Store store = open()) {
            Revision beginning = beginning(store);
            List<Revision> written = fill(store, total);
            try (Watch watch = store.watch("", beginning)) {
                assertThat(revisions(read(watch, total))).isEqualTo(written);
            }
        }
    }

    @Test
    default void a_history_that_is_compacted_cannot_be_watched() throws Exception {
        try (Store store = open()) {
            Story story = Story.write(store);
            store.compact(story.at.get(2));
            assertThatThrownBy(() -> store.watch("", story.at.get(1)))
                    .isInstanceOf(CompactedException.class)
                    .hasMessageMatching(
                            "revision %s is gone: the history starts after \\d+".formatted(story.at.get(1)));
            try (Watch watch = store.watch("", story.at.get(2))) {
                assertThat(readText(watch, 2)).isEqualTo(story.told().subList(3, 5));
            }
        }
    }

    @Test
    default void what_is_left_of_a_compacted_history_begins_where_the_refusal_says() throws Exception {
        try (Store store = open()) {
            Story story = Story.write(store);
            store.compact(story.at.get(3));
            CompactedException gone =
                    catchThrowableOfType(CompactedException.class, () -> store.watch("", story.at.get(0)));
            assertThat(gone.compacted()).isBetween(story.at.get(1), story.at.get(3));
            try (Watch watch = store.watch("", gone.compacted())) {
                List<String> rest = story.told().stream()
                        .filter(line -> revisionOf(line).isAfter(gone.compacted()))
                        .toList();
                assertThat(readText(watch, rest.size())).isEqualTo(rest);
            }
        }
    }

    private static Revision revisionOf(String line) {
        return new Revision(Long.parseLong(line.substring(0, line.indexOf(' '))));
    }

    @Test
    default void compacting_in_steps_or_backwards_changes_nothing_of_what_is_left() throws Exception {
        try (Store store = open()) {
            Story story = Story.write(store);
            Stream.of(0, 1, 3, 0).map(story.at::get).forEach(store::compact);
            try (Watch watch = store.watch("", story.at.get(3))) {
                assertThat(readText(watch, 1)).isEqualTo(story.told().subList(4, 5));
            }
            assertThatThrownBy(() -> store.watch("", story.at.get(2))).isInstanceOf(CompactedException.class);
        }
    }

    @Test
    default void a_watch_that_has_not_read_what_is_compacted_ends_instead_of_skipping_it() throws Exception {
        try (Store store = open()) {
            Revision beginning = beginning(store);
            Story story = Story.write(store);
            try (Watch watch = store.watch("", beginning)) {
                store.compact(story.at.get(2));
                putNew(store, "c", "now");
                assertThat(watch.next()).isEmpty();
                assertThat(watch.next()).isEmpty();
            }
        }
    }

    @Test
    default void a_watch_that_follows_does_not_notice_compaction() throws Exception {
        try (Store store = open();
                Watch watch = store.watch("", beginning(store))) {
            Story story = Story.write(store);
            store.compact(story.at.getLast());
            assertThat(readText(watch, 5)).isEqualTo(story.told());
        }
    }

    @Test
    default void a_watch_that_its_client_does_not_read_is_ended_and_what_it_gave_has_no_gap() throws Exception {
        int total = QueuedWatch.CAPACITY + 1_000;
        try (Store store = open();
                Watch slow = store.watch("", beginning(store));
                Watch elsewhere = store.watch("other/", beginning(store))) {
            List<Revision> written = new ArrayList<>(fill(store, total));
            List<Change> given = read(slow, Integer.MAX_VALUE);
            assertThat(given).hasSizeBetween(1, QueuedWatch.CAPACITY);
            assertThat(revisions(given)).isEqualTo(written.subList(0, given.size()));
            written.add(putNew(store, "other/a", "still served"));
            assertThat(read(elsewhere, 1)).hasSize(1);
            try (Watch resumed = store.watch("", given.getLast().revision())) {
                assertThat(revisions(read(resumed, total + 1 - given.size())))
                        .isEqualTo(written.subList(given.size(), total + 1));
            }
        }
    }

    @Test
    default void closing_a_watch_ends_it_for_a_reader_that_waits() throws Exception {
        try (var readers = Executors.newVirtualThreadPerTaskExecutor();
                Store store = open()) {
            Watch watch = store.watch("", beginning(store));
            putNew(store, "a", "one");
            assertThat(read(watch, 1)).hasSize(1);
            Future<Optional<Store.Batch>> waiting = readers.submit(watch::next);
            watch.close();
            assertThat(waiting.get()).isEmpty();
            putNew(store, "b", "two");
            assertThat(watch.next()).isEmpty();
        }
    }

    @Test
    default void closing_the_store_ends_its_watches() throws Exception {
        try (var readers = Executors.newVirtualThreadPerTaskExecutor()) {
            Store store = open();
            Watch watch = store.watch("", beginning(store));
            Watch unread = store.watch("", done(store.put("a", new byte[0], Revision.ZERO)));
            Revision two = putNew(store, "b", "two");
            assertThat(read(watch, 2)).hasSize(2);
            Future<Optional<Store.Batch>> waiting = readers.submit(watch::next);
            store.close();
            assertThat(waiting.get()).isEmpty();
            assertThat(readText(unread, 2)).containsExactly(two + " put b=two");
        }
    }

    /// Creates `count` keys, with many writers so that a store that writes in groups is quick.
    private static List<Revision> fill(Store store, int count) throws Exception {
        AtomicInteger next = new AtomicInteger();
        List<List<Revision>> written = Reading.together(128, () -> {
            List<Revision> mine = new ArrayList<>();
            for (int i = next.incrementAndGet(); i <= count; i = next.incrementAndGet()) {
                mine.add(putNew(store, "key" + i, "value"));
            }
            return mine;
        });
        return written.stream().flatMap(List::stream).sorted().toList();
    }

    private static List<Revision> revisions(List<Change> changes) {
        return changes.stream().map(Change::revision).toList();
    }
}
