package io.fairlead.store;

import static io.fairlead.store.Reading.beginning;
import static io.fairlead.store.Reading.bytes;
import static io.fairlead.store.Reading.putNew;
import static io.fairlead.store.Reading.read;
import static io.fairlead.store.Reading.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Change;
import io.fairlead.store.Store.Listing;
import io.fairlead.store.Store.Outcome;
import io.fairlead.store.Store.Stored;
import io.fairlead.store.Store.Watch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What every room behind the door does when many write at once: a store may make their writes durable together, but
/// no caller can tell.
@Timeout(30)
interface ManyWritersContract {
    /// A new store with nothing in it.
    Store open();

    @Test
    default void increments_by_compare_and_set_from_many_threads_lose_nothing() throws Exception {
        int threads = 8;
        int each = 100;
        try (Store store = open()) {
            putNew(store, "counter", "0");
            Reading.together(threads, () -> {
                for (int i = 0; i < each; i++) {
                    increment(store, "counter");
                }
                return each;
            });
            assertThat(text(store.find("counter").orElseThrow())).isEqualTo(Integer.toString(threads * each));
        }
    }

    private static Revision increment(Store store, String counter) {
        while (true) {
            Stored before = store.find(counter).orElseThrow();
            int value = Integer.parseInt(text(before));
            if (store.put(counter, bytes(Integer.toString(value + 1)), before.revision())
                    instanceof Outcome.Done(var revision)) {
                return revision;
            }
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
    default void a_conflict_of_one_writer_does_no_harm_to_those_who_write_at_the_same_time() throws Exception {
        int rounds = 50;
        try (Store store = open()) {
            Revision taken = putNew(store, "taken", "by another");
            AtomicInteger names = new AtomicInteger();
            List<List<Outcome>> all = Reading.together(16, () -> {
                List<Outcome> outcomes = new ArrayList<>();
                int writer = names.incrementAndGet();
                for (int i = 0; i < rounds; i++) {
                    String key = writer % 4 == 0 ? "taken" : "key%d/%d".formatted(writer, i);
                    outcomes.add(store.put(key, bytes("mine"), Revision.ZERO));
                }
                return outcomes;
            });
            List<Outcome> outcomes = all.stream().flatMap(List::stream).toList();
            assertThat(outcomes).filteredOn(new Outcome.Conflict(taken)::equals).hasSize(4 * rounds);
            assertThat(outcomes)
                    .filteredOn(Outcome.Done.class::isInstance)
                    .hasSize(12 * rounds)
                    .doesNotHaveDuplicates();
            assertThat(store.list("key").items()).hasSize(12 * rounds);
            assertThat(text(store.find("taken").orElseThrow())).isEqualTo("by another");
        }
    }

    @Test
    default void a_list_after_an_answered_write_has_it_and_is_never_older() throws Exception {
        Queue<Listing> listings = new ConcurrentLinkedQueue<>();
        try (Store store = open()) {
            AtomicInteger names = new AtomicInteger();
            Reading.together(8, () -> {
                for (int i = 0; i < 50; i++) {
                    String key = "key" + names.incrementAndGet();
                    Revision written = putNew(store, key, "value");
                    Listing listing = store.list("");
                    assertThat(listing.items()).extracting(Stored::key).contains(key);
                    assertThat(listing.revision()).isGreaterThanOrEqualTo(written);
                    listings.add(listing);
                }
                return names;
            });
            // only creates happened here, so that each list is the beginning of the last one
            List<Revision> all = revisions(store.list("").items());
            assertThat(listings)
                    .hasSize(400)
                    .allSatisfy(
                            listing -> assertThat(revisions(listing.items())).isEqualTo(upTo(listing.revision(), all)));
        }
    }

    private static List<Revision> revisions(List<Stored> items) {
        return items.stream().map(Stored::revision).sorted().toList();
    }

    private static List<Revision> upTo(Revision last, List<Revision> all) {
        return all.stream().filter(revision -> !revision.isAfter(last)).toList();
    }

    private static List<Revision> after(Revision first, List<Revision> all) {
        return all.stream().filter(revision -> revision.isAfter(first)).toList();
    }

    @Test
    default void a_watcher_that_goes_on_after_any_revision_sees_exactly_the_rest() throws Exception {
        try (Store store = open()) {
            Revision beginning = beginning(store);
            List<Revision> written = new ArrayList<>(writeAndDelete(store, 16, 4));
            written.sort(null);
            assertThat(written).doesNotHaveDuplicates().hasSize(16 * 4 * 3);
            assertThat(seenAfter(beginning, store, written.size())).isEqualTo(written);
            for (Revision seen : written) {
                List<Revision> rest = after(seen, written);
                assertThat(seenAfter(seen, store, rest.size())).isEqualTo(rest);
            }
        }
    }

    /// Three writes for each key, of which many come at once.
    private static List<Revision> writeAndDelete(Store store, int writers, int keys) throws Exception {
        AtomicInteger names = new AtomicInteger();
        List<List<Revision>> all = Reading.together(writers, () -> {
            List<Revision> revisions = new ArrayList<>();
            for (int i = 0; i < keys; i++) {
                String key = "key" + names.incrementAndGet();
                Revision first = putNew(store, key, "one");
                Revision second = Reading.put(store, key, "two", first);
                revisions.addAll(List.of(first, second, Reading.done(store.delete(key, second))));
            }
            return revisions;
        });
        return all.stream().flatMap(List::stream).toList();
    }

    private static List<Revision> seenAfter(Revision after, Store store, int count) throws InterruptedException {
        try (Watch watch = store.watch("", after)) {
            return read(watch, count).stream().map(Change::revision).toList();
        }
    }

    @Test
    default void watches_that_join_while_many_write_have_no_gap_and_nothing_twice() throws Exception {
        int writers = 8;
        int each = 200;
        AtomicInteger names = new AtomicInteger();
        Queue<Revision> written = new ConcurrentLinkedQueue<>();
        Queue<Future<Seen>> joined = new ConcurrentLinkedQueue<>();
        try (var readers = Executors.newVirtualThreadPerTaskExecutor();
                Store store = open()) {
            Revision beginning = beginning(store);
            Reading.together(writers, () -> {
                for (int i = 0; i < each; i++) {
                    Revision mine = putNew(store, "key" + names.incrementAndGet(), "value");
                    written.add(mine);
                    if (i % 40 == 0) {
                        Revision earlier = store.before(mine, i);
                        Revision after = earlier.isAfter(beginning) ? earlier : beginning;
                        joined.add(readers.submit(() -> seenUntilTheEnd(after, store)));
                    }
                }
                return names;
            });
            putNew(store, THE_END, "");
            List<Revision> all = written.stream().sorted().toList();
            assertThat(joined).hasSize(writers * each / 40);
            for (Future<Seen> one : joined) {
                assertThat(one.get().revisions()).isEqualTo(after(one.get().after(), all));
            }
        }
    }

    String THE_END = "the end";

    /// What a watch gave after `after`.
    record Seen(Revision after, List<Revision> revisions) {}

    private static Seen seenUntilTheEnd(Revision after, Store store) throws InterruptedException {
        List<Revision> revisions = new ArrayList<>();
        try (Watch watch = store.watch("", after)) {
            while (true) {
                for (Change change : watch.next().orElseThrow().changes()) {
                    if (change.key().equals(THE_END)) {
                        return new Seen(after, revisions);
                    }
                    revisions.add(change.revision());
                }
            }
        }
    }
}
