package io.fairlead.store;

import static io.fairlead.store.Reading.done;
import static io.fairlead.store.Reading.put;
import static io.fairlead.store.Reading.putNew;
import static io.fairlead.store.Reading.read;
import static io.fairlead.store.Reading.readText;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Change;
import io.fairlead.store.Store.Watch;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
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
                Watch watch = store.watch("", Revision.ZERO)) {
            writeStory(store);
            assertThat(readText(watch, 5)).isEqualTo(STORY);
        }
    }

    @Test
    default void a_watch_from_the_past_gives_the_same_changes_from_the_history() throws Exception {
        try (Store store = open()) {
            writeStory(store);
            try (Watch all = store.watch("", Revision.ZERO);
                    Watch late = store.watch("", new Revision(3))) {
                assertThat(readText(all, 5)).isEqualTo(STORY);
                assertThat(readText(late, 2)).isEqualTo(STORY.subList(3, 5));
            }
        }
    }

    List<String> STORY =
            List.of("1 put a=one", "2 put b=x", "3 put a=two was one@1", "4 delete a was two@3", "5 put a=three");

    private static void writeStory(Store store) {
        Revision a = putNew(store, "a", "one");
        putNew(store, "b", "x");
        store.delete("a", put(store, "a", "two", a));
        putNew(store, "a", "three");
    }

    @Test
    default void a_watch_goes_from_the_history_over_to_what_happens_now() throws Exception {
        try (Store store = open()) {
            putNew(store, "a", "past");
            try (Watch watch = store.watch("", Revision.ZERO)) {
                putNew(store, "b", "now");
                assertThat(readText(watch, 2)).containsExactly("1 put a=past", "2 put b=now");
                putNew(store, "c", "later");
                assertThat(readText(watch, 1)).containsExactly("3 put c=later");
            }
        }
    }

    @Test
    default void a_watch_gives_only_what_is_under_its_prefix() throws Exception {
        try (Store store = open()) {
            putNew(store, "pods/a", "past");
            putNew(store, "pods", "past");
            putNew(store, "services/a", "past");
            try (Watch watch = store.watch("pods/", Revision.ZERO)) {
                putNew(store, "services/b", "now");
                putNew(store, "pods/b", "now");
                assertThat(readText(watch, 2)).containsExactly("1 put pods/a=past", "5 put pods/b=now");
            }
        }
    }

    @Test
    default void a_watch_after_a_revision_to_come_begins_there() throws Exception {
        try (Store store = open();
                Watch watch = store.watch("", new Revision(2))) {
            writeStory(store);
            assertThat(readText(watch, 3)).isEqualTo(STORY.subList(2, 5));
        }
    }

    @Test
    default void watches_that_join_while_many_write_have_no_gap_and_nothing_twice() throws Exception {
        int writers = 8;
        int each = 200;
        int total = writers * each;
        AtomicInteger names = new AtomicInteger();
        Queue<Future<List<Long>>> joined = new ConcurrentLinkedQueue<>();
        try (var readers = Executors.newVirtualThreadPerTaskExecutor();
                Store store = open()) {
            Reading.together(writers, () -> {
                for (int i = 0; i < each; i++) {
                    long written = putNew(store, "key" + names.incrementAndGet(), "value")
                            .value();
                    if (i % 40 == 0) {
                        joined.add(readers.submit(() -> revisionsAfter(store, written / 2, total)));
                    }
                }
                return names;
            });
            assertThat(joined).hasSize(writers * each / 40);
            for (Future<List<Long>> one : joined) {
                List<Long> revisions = one.get();
                assertThat(revisions).isEqualTo(oneTo(total).subList(total - revisions.size(), total));
            }
        }
    }

    /// All up to revision `last`.
    private static List<Long> revisionsAfter(Store store, long after, int last) throws InterruptedException {
        try (Watch watch = store.watch("", new Revision(after))) {
            List<Long> revisions = revisions(read(watch, last - (int) after));
            assertThat(revisions).hasSize(last - (int) after);
            return revisions;
        }
    }

    @Test
    default void a_long_history_comes_whole() throws Exception {
        int total = 2_500;
        try (Store store = open()) {
            fill(store, total);
            try (Watch watch = store.watch("", Revision.ZERO)) {
                assertThat(revisions(read(watch, total))).isEqualTo(oneTo(total));
            }
        }
    }

    @Test
    default void a_history_that_is_compacted_cannot_be_watched() throws Exception {
        try (Store store = open()) {
            writeStory(store);
            store.compact(new Revision(3));
            assertThatThrownBy(() -> store.watch("", new Revision(2)))
                    .isInstanceOf(CompactedException.class)
                    .hasMessage("revision 2 is gone: the history starts after 3");
            try (Watch watch = store.watch("", new Revision(3))) {
                assertThat(readText(watch, 2)).isEqualTo(STORY.subList(3, 5));
            }
        }
    }

    @Test
    default void compacting_in_steps_or_backwards_changes_nothing_of_what_is_left() throws Exception {
        try (Store store = open()) {
            writeStory(store);
            LongStream.of(1, 2, 4, 1).mapToObj(Revision::new).forEach(store::compact);
            try (Watch watch = store.watch("", new Revision(4))) {
                assertThat(readText(watch, 1)).isEqualTo(STORY.subList(4, 5));
            }
            assertThatThrownBy(() -> store.watch("", new Revision(3))).isInstanceOf(CompactedException.class);
        }
    }

    @Test
    default void a_watch_that_has_not_read_what_is_compacted_ends_instead_of_skipping_it() throws Exception {
        try (Store store = open()) {
            writeStory(store);
            try (Watch watch = store.watch("", Revision.ZERO)) {
                store.compact(new Revision(3));
                putNew(store, "c", "now");
                assertThat(watch.next()).isEmpty();
                assertThat(watch.next()).isEmpty();
            }
        }
    }

    @Test
    default void a_watch_that_follows_does_not_notice_compaction() throws Exception {
        try (Store store = open();
                Watch watch = store.watch("", Revision.ZERO)) {
            writeStory(store);
            store.compact(new Revision(5));
            assertThat(readText(watch, 5)).isEqualTo(STORY);
        }
    }

    @Test
    default void a_watch_nobody_reads_is_ended_and_what_it_gave_has_no_gap() throws Exception {
        int total = QueuedWatch.CAPACITY + 1_000;
        try (Store store = open();
                Watch slow = store.watch("", Revision.ZERO);
                Watch elsewhere = store.watch("other/", Revision.ZERO)) {
            fill(store, total);
            List<Change> given = read(slow, Integer.MAX_VALUE);
            assertThat(given).hasSizeBetween(1, QueuedWatch.CAPACITY);
            assertThat(revisions(given)).isEqualTo(oneTo(given.size()));
            putNew(store, "other/a", "still served");
            assertThat(read(elsewhere, 1)).hasSize(1);
            try (Watch resumed = store.watch("", given.getLast().revision())) {
                assertThat(revisions(read(resumed, total + 1 - given.size())))
                        .isEqualTo(oneTo(total + 1).subList(given.size(), total + 1));
            }
        }
    }

    @Test
    default void closing_a_watch_ends_it_for_a_reader_that_waits() throws Exception {
        try (var readers = Executors.newVirtualThreadPerTaskExecutor();
                Store store = open()) {
            Watch watch = store.watch("", Revision.ZERO);
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
            Watch watch = store.watch("", Revision.ZERO);
            Watch unread = store.watch("", done(store.put("a", new byte[0], Revision.ZERO)));
            putNew(store, "b", "two");
            assertThat(read(watch, 2)).hasSize(2);
            Future<Optional<Store.Batch>> waiting = readers.submit(watch::next);
            store.close();
            assertThat(waiting.get()).isEmpty();
            assertThat(readText(unread, 2)).containsExactly("2 put b=two");
        }
    }

    /// Creates `count` keys, with many writers so that a store that writes in groups is quick.
    private static void fill(Store store, int count) throws Exception {
        AtomicInteger next = new AtomicInteger();
        Reading.together(128, () -> {
            for (int i = next.incrementAndGet(); i <= count; i = next.incrementAndGet()) {
                putNew(store, "key" + i, "value");
            }
            return next;
        });
    }

    private static List<Long> revisions(List<Change> changes) {
        return changes.stream().map(change -> change.revision().value()).toList();
    }

    private static List<Long> oneTo(int last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }
}
