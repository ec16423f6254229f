package io.fairlead.store;

import static io.fairlead.store.Reading.bytes;
import static io.fairlead.store.Reading.etcd;
import static io.fairlead.store.Reading.putNew;
import static io.fairlead.store.Reading.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Revision;
import io.fairlead.store.Store.Change;
import io.fairlead.store.Store.Outcome;
import io.fairlead.store.Store.Watch;
import io.fairlead.testkit.EtcdCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// etcd loses members, or all of them: what was answered stays, what is not known is not answered.
@Timeout(120)
final class EtcdFailureIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Map<String, Revision> answered = new ConcurrentHashMap<>();
    private final AtomicInteger unanswered = new AtomicInteger();

    @Test
    void of_three_members_each_is_killed_during_writes_and_nothing_answered_is_lost() throws Exception {
        try (EtcdCluster cluster = EtcdCluster.start(3);
                Store store = etcd(cluster.addresses(), "/test");
                Watch watch = store.watch("", store.revision())) {
            AtomicBoolean done = new AtomicBoolean();
            try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> writers = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    String writer = "w" + i;
                    writers.add(executor.submit(() -> write(store, writer, done)));
                }
                try {
                    killEachOnce(cluster);
                } finally {
                    done.set(true);
                }
                join(writers);
            }
            checkValues(store);
            checkHistory(store, watch);
        }
    }

    private void killEachOnce(EtcdCluster cluster) {
        for (int member = 0; member < 3; member++) {
            awaitMoreAnswers();
            cluster.kill(member);
            awaitMoreAnswers();
            cluster.run(member);
        }
        awaitMoreAnswers();
    }

    private static void join(List<Future<?>> tasks) throws InterruptedException, ExecutionException {
        for (Future<?> task : tasks) {
            task.get();
        }
    }

    private void write(Store store, String writer, AtomicBoolean done) {
        for (int i = 0; !done.get(); i++) {
            String key = writer + "/" + i;
            try {
                if (store.put(key, bytes(key), Revision.ZERO) instanceof Outcome.Done(var revision)) {
                    answered.put(key, revision);
                }
            } catch (StoreException e) {
                unanswered.incrementAndGet();
            }
        }
    }

    private void awaitMoreAnswers() {
        int before = answered.size();
        await().atMost(PATIENCE).until(() -> answered.size() > before + 200);
    }

    /// All that was answered is there; besides it, at most the writes that got no answer.
    private void checkValues(Store store) {
        Map<String, Revision> stored = new ConcurrentHashMap<>();
        store.list("").items().forEach(item -> stored.put(item.key(), item.revision()));
        assertThat(stored).containsAllEntriesOf(answered);
        assertThat(stored.size() - answered.size()).isLessThanOrEqualTo(unanswered.get());
    }

    private static void checkHistory(Store store, Watch watch) throws InterruptedException {
        Store.Listing listing = store.list("");
        List<Change> changes = read(watch, listing.items().size());
        assertThat(changes).extracting(Change::revision).isSorted().doesNotHaveDuplicates();
        assertThat(changes).extracting(Change::key).doesNotHaveDuplicates();
    }

    @Test
    void a_store_that_is_away_says_so_and_when_it_is_back_the_watch_goes_on() throws Exception {
        try (EtcdCluster cluster = EtcdCluster.start(1);
                Store store = etcd(cluster.addresses(), "/test");
                Watch watch = store.watch("", store.revision())) {
            putNew(store, "before", "1");
            cluster.kill();
            StoreException away =
                    catchThrowableOfType(StoreException.class, () -> store.put("during", bytes("2"), Revision.ZERO));
            // the first may have been on its way, but not the second
            assertThat(away.kind()).isNotEqualTo(StoreException.Kind.TOO_LARGE);
            StoreException still =
                    catchThrowableOfType(StoreException.class, () -> store.put("during", bytes("2"), Revision.ZERO));
            assertThat(still.kind()).isEqualTo(StoreException.Kind.UNAVAILABLE);
            assertThat(still).hasMessageStartingWith("etcd cannot be reached: ");
            cluster.run();
            putNew(store, "after", "3");
            assertThat(read(watch, 2)).extracting(Change::key).containsExactly("before", "after");
        }
    }

    @Test
    void two_stores_on_one_etcd_see_each_other_and_foreign_writes_hold_up_neither() throws Exception {
        try (EtcdCluster cluster = EtcdCluster.start(1);
                Store one = etcd(cluster.addresses(), "/test");
                Store two = etcd(cluster.addresses(), "/test");
                Store foreign = etcd(cluster.addresses(), "/test2");
                Watch watch = two.watch("", two.revision())) {
            Revision written = putNew(one, "a", "1");
            Revision last = putNew(foreign, "a", "2");
            assertThat(two.find("a"))
                    .hasValueSatisfying(a -> assertThat(a.revision()).isEqualTo(written));
            Revision newest = two.revision();
            assertThat(newest).isGreaterThanOrEqualTo(last);
            Revision reached = Revision.ZERO;
            List<String> seen = new ArrayList<>();
            while (newest.isAfter(reached)) {
                Store.Batch batch = watch.next().orElseThrow();
                batch.changes().forEach(change -> seen.add(change.key()));
                reached = batch.upTo();
            }
            assertThat(seen).containsExactly("a");
        }
    }

    @Test
    void a_watch_that_others_compacted_away_ends_and_cannot_be_taken_up() throws Exception {
        try (EtcdCluster cluster = EtcdCluster.start(1);
                Store store = etcd(cluster.addresses(), "/test")) {
            Revision first = putNew(store, "a", "1");
            Revision second = Reading.put(store, "a", "2", first);
            try (Store other = etcd(cluster.addresses(), "/other")) {
                other.compact(second);
            }
            CompactedException gone = catchThrowableOfType(CompactedException.class, () -> store.watch("", first));
            assertThat(gone.compacted()).isBetween(first, second);
        }
    }

    @Test
    void a_value_that_etcd_does_not_take_is_too_large_and_not_uncertain() throws Exception {
        try (EtcdCluster cluster = EtcdCluster.start(1);
                Store store = etcd(cluster.addresses(), "/test")) {
            StoreException large = catchThrowableOfType(
                    StoreException.class, () -> store.put("large", new byte[2 << 20], Revision.ZERO));
            assertThat(large.kind()).isEqualTo(StoreException.Kind.TOO_LARGE);
            assertThat(store.find("large")).isEmpty();
        }
    }

    @Test
    void a_list_of_values_that_do_not_fit_into_one_answer_comes_whole() throws Exception {
        try (EtcdCluster cluster = EtcdCluster.start(1);
                Store store = etcd(cluster.addresses(), "/test")) {
            for (int i = 0; i < 40; i++) {
                store.put("large" + i, new byte[1 << 20], Revision.ZERO);
            }
            assertThat(store.list("").items()).hasSize(40);
        }
    }

    /// etcd tells of a delete with what was deleted: of many, more than it puts into one answer.
    @Test
    void a_group_whose_events_do_not_fit_into_one_answer_comes_whole_and_in_order() throws Exception {
        int keys = 48;
        AtomicInteger next = new AtomicInteger();
        try (EtcdCluster cluster = EtcdCluster.start(1);
                Store store = etcd(cluster.addresses(), "/test")) {
            for (int i = 0; i < keys; i++) {
                store.put("large" + i, new byte[100 << 10], Revision.ZERO);
            }
            List<Store.Stored> all = store.list("").items();
            Revision before = store.revision();
            List<Revision> deleted = new ArrayList<>(Reading.together(keys, () -> {
                Store.Stored mine = all.get(next.getAndIncrement());
                return Reading.done(store.delete(mine.key(), mine.revision()));
            }));
            deleted.sort(null);
            assertThat(deleted).doesNotHaveDuplicates();
            for (Revision after : List.of(before, deleted.get(keys / 2))) {
                List<Revision> rest =
                        deleted.stream().filter(one -> one.isAfter(after)).toList();
                try (Watch watch = store.watch("", after)) {
                    assertThat(read(watch, rest.size()))
                            .extracting(Change::revision)
                            .isEqualTo(rest);
                }
            }
        }
    }

    @Test
    void a_group_that_etcd_does_not_take_goes_one_by_one() throws Exception {
        AtomicInteger names = new AtomicInteger();
        try (EtcdCluster cluster = EtcdCluster.start(1, "--max-txn-ops=2");
                Store store = etcd(cluster.addresses(), "/test")) {
            List<Outcome> outcomes = Reading.together(
                    32, () -> store.put("key" + names.incrementAndGet(), bytes("value"), Revision.ZERO));
            assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Done.class));
            assertThat(store.list("").items()).hasSize(32);
        }
    }
}
